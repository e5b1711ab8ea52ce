// A web server that needs a moment: 2.5 seconds to start, and two more to be ready.
import { createServer } from 'node:http';

const begin = Date.now();
const age = () => (Date.now() - begin) / 1000;

const server = createServer((request, response) => {
  const up = request.url === '/ready' ? age() > 4.5 : age() > 2.5;
  response.statusCode = up ? 200 : 503;
  response.end(up ? 'ok\n' : `not yet, ${age().toFixed(1)} s old\n`);
});
server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => server.close(() => process.exit(0)));
