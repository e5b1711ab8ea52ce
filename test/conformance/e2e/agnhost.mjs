/*
 * Plays agnhost, the server of Kubernetes' end-to-end tests (test/images/agnhost of v1.36.3): those of its commands that the tests of this
 * folder run, and `get`, which stands for curl. POD_IP is the address of a pod whose containers are processes of this machine.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { createServer as createH2Server } from 'node:http2';
import { createServer as createTLSServer } from 'node:https';
import process from 'node:process';
import { parseArgs } from 'node:util';

const { POD_IP } = process.env;
const [command, ...args] = process.argv.slice(2);
const { values, positionals } = parseArgs({
  args,
  allowPositionals: true,
  options: {
    port: { type: 'string' },
    'tls-cert-file': { type: 'string' },
    'tls-private-key-file': { type: 'string' },
  },
});
const started = Date.now();

// The first process of a container has no default action for a signal.
process.on('SIGTERM', () => process.exit(2));

const serve = (server, port) => server.listen(port, POD_IP ?? '0.0.0.0');

function liveness({ url }, response) {
  const { pathname, searchParams } = new URL(url, 'http://host');
  const seconds = (Date.now() - started) / 1000;
  if (pathname === '/redirect') {
    const location = searchParams.get('loc');
    const body = `<a href="${location}">Found</a>.\n\n`;
    response.writeHead(302, { location, 'content-type': 'text/html; charset=utf-8' }).end(body);
  } else if (pathname !== '/healthz') response.writeHead(404).end('404 page not found\n');
  else if (seconds > 10) response.writeHead(500).end(`error: ${seconds}`);
  else response.end('ok');
}

/** Writes each request, as netexec does, and answers with its `msg`. */
function echo({ method, url }, response) {
  process.stdout.write(`${method} ${url}\n`);
  response.end(new URL(url, 'http://host').searchParams.get('msg'));
}

/** Answers SERVING. */
function checkHealth(stream, headers) {
  if (headers[':path'] !== '/grpc.health.v1.Health/Check') {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '12' });
    stream.end();
    return;
  }
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(Buffer.from([0, 0, 0, 0, 2, 8, 1]));
}

const COMMANDS = {
  liveness: () => serve(createServer(liveness), 8080),
  'test-webserver': () =>
    serve(
      createServer((_, response) => response.end('<pre>\n</pre>\n')),
      Number(values.port ?? 80),
    ),
  'grpc-health-checking': () => serve(createH2Server().on('stream', checkHealth), 5000),
  netexec: () => {
    const { 'tls-cert-file': cert, 'tls-private-key-file': key } = values;
    const server =
      cert === undefined
        ? createServer(echo)
        : createTLSServer({ cert: readFileSync(cert), key: readFileSync(key) }, echo);
    serve(server, 8080);
  },
  pause: () => {
    process.stdout.write('Paused\n');
    setInterval(() => undefined, 1 << 30);
  },
  get: async () => {
    const [response] = await once(
      get(`http://${POD_IP ?? '127.0.0.1'}:8080${positionals[0]}`),
      'response',
    );
    response.pipe(process.stdout);
    if (response.statusCode !== 200) process.exitCode = 1;
  },
};

await COMMANDS[command]();
