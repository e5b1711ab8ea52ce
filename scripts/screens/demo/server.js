// A server that starts late, loses its database after a while, and its health a bit later.
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const begin = Date.now();
const age = () => (Date.now() - begin) / 1000;
const say = (text) => process.stdout.write(`${text}\n`);
const complain = (text) => process.stderr.write(`${text}\n`);

writeFileSync('healthy', 'yes\n');
setTimeout(() => rmSync('healthy', { force: true }), 13_000);

const server = createServer((request, response) => {
  const [code, body] = answer(request.url);
  setTimeout(() => response.writeHead(code).end(body), 2 + 40 * Math.random() ** 3);
});

function answer(url) {
  if (age() < 2) return [503, 'starting: migrations 3 of 8\n'];
  if (url === '/ready' && age() > 10) return [503, 'database: connection lost\n'];
  return [200, 'ok\n'];
}

server.listen(Number(process.env.PORT), () => say(`listening on ${process.env.PORT}`));
const work = setInterval(() => {
  if (age() > 10) complain('database: connection lost, trying again');
  else say(`served ${Math.round(age() * 17)} requests`);
}, 1500);

process.on('SIGTERM', () => {
  say('TERM: going down');
  clearInterval(work);
  setTimeout(() => process.exit(0), 700);
});
