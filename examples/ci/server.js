// A server that listens after a second, and answers what it has accepted before it ends on SIGTERM.
import { createServer } from 'node:http';

const server = createServer((_, response) => setTimeout(() => response.end('ok\n'), 20));
setTimeout(() => server.listen(18093), 1000);
process.on('SIGTERM', () => server.close(() => process.exit()));
