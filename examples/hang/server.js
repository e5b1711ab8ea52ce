// A server that stops answering after two seconds, and does not end on SIGTERM either.
import { createServer } from 'node:http';

const begin = Date.now();
const server = createServer((request, response) => {
  if (Date.now() - begin < 2000) response.end('ok\n');
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => console.log('SIGTERM, but there is work to do'));
