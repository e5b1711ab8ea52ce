// One page that is fine, and one that is somewhere else.
import { createServer } from 'node:http';

createServer((request, response) => {
  if (request.url === '/moved') response.writeHead(302, { Location: 'http://shop.example/' });
  response.end('ok\n');
}).listen(18085, '127.0.0.1');
