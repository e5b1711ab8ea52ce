// A server that hangs after two seconds: it stops answering, and does not end on SIGTERM either.
import { createServer } from 'node:http';

let hangs = false;
setTimeout(() => {
  hangs = true;
  process.on('SIGTERM', () => console.log('SIGTERM, but there is work to do'));
}, 2000);
createServer((request, response) => {
  if (!hangs) response.end('ok\n');
}).listen(Number(process.env.PORT), '127.0.0.1');
