import { createServer } from 'node:http';

const server = createServer((request, response) => response.end('shop\n'));
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('open'));
process.on('SIGTERM', () => server.close());
