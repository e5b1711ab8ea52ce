import { js, JS_OK, nginx, nginxConf, node, OK, type ProgramCase, READY } from './program-case.js';

const LIVE = READY.replace('readiness', 'liveness').replace(
  '}, period',
  '}, failureThreshold: 30, period',
);
const GO = (count: string): string => `package main

import (
	"fmt"
	"net/http"
)

type store struct{ names []string }

var db *store

func main() {
	http.HandleFunc("/healthz", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, ${count}) })
	http.ListenAndServe(":PORT", nil)
}
`;
const NGINX = (location: string): string => nginxConf(`listen PORT; root .; location ${location}`);
const env = (name: string): string =>
  `env: [{name: ${name}, value: "postgres://db/shop"}], ${READY}`;

/** Unprepared faults of 2026-11-28 of which kprobe said the wrong thing at first, or nothing that helps. */
export const MISREAD: readonly ProgramCase[] = [
  {
    name: 'go-handler-panics',
    needs: ['go'],
    files: { 'app.go': GO('len(db.names)') },
    build: 'go build -o app app.go',
    command: ['./app'],
    probes: READY,
    fault: { kind: 'closedEarly', after: 'nothing' },
    field: 'app.go:13',
    cure: { files: { 'app.go': GO('1') } },
  },
  {
    name: 'node-handler-never-answers',
    needs: ['node'],
    files: {
      'app.js': `process.on('unhandledRejection', (e) => console.error('unhandledRejection', e));
const db = {};
require('node:http').createServer(async (q, s) => s.end(await db.pool.query('select 1'))).listen(PORT);
`,
    },
    command: js,
    probes: READY,
    fault: { kind: 'noAnswer' },
    field: 'app.js:3',
    cure: JS_OK,
  },
  {
    name: 'variable-misspelt',
    needs: ['node'],
    files: {
      'app.js': `if (!process.env.DATABASE_URL) { console.error('Config validation error: "DATABASE_URL" is required'); process.exit(1); }\n${OK}`,
    },
    command: js,
    probes: env('DATABSE_URL'),
    fault: { kind: 'crashed' },
    field: '"name":"DATABSE_URL"',
    cure: { probes: env('DATABASE_URL') },
  },
  {
    name: 'warms-up-under-liveness',
    needs: ['node'],
    files: {
      'app.js': `const start = Date.now();\n${node(`const isWarm = Date.now() > start + 15000; s.statusCode = isWarm ? 200 : 503; s.end(isWarm ? 'ok' : 'warming up the cache')`)}`,
    },
    command: js,
    probes: LIVE,
    fault: { kind: 'errorAnswer', text: 'warming up the cache' },
    field: 'addStartupProbe',
    cure: { probes: `${LIVE}, ${LIVE.replace('liveness', 'startup').replace('30', '50')}` },
  },
  {
    name: 'nginx-no-index',
    needs: ['nginx'],
    files: { 'nginx.conf': NGINX('/ { }') },
    command: nginx,
    build: 'chmod 755 .',
    probes: READY.replace('/healthz', '/'),
    fault: { kind: 'forbidden' },
    field: '["readinessProbe.httpGet.path"]',
    cure: { files: { 'nginx.conf': NGINX('/ { return 200 ok; }') } },
  },
  {
    name: 'pool-is-used-up',
    needs: ['node'],
    files: {
      'app.js': node(
        `console.error('sqlalchemy.exc.TimeoutError: QueuePool limit of size 5 overflow 10 reached, connection timed out'); s.statusCode = 500; s.end()`,
      ),
    },
    command: js,
    probes: READY,
    fault: { kind: 'errorAnswer', isLogged: true },
    field: '"connections"',
    cure: JS_OK,
  },
  {
    name: 'entry-file-missing',
    needs: ['node'],
    files: { 'app.js': OK },
    command: ['node', 'dist/app.js'],
    probes: READY,
    fault: { kind: 'crashed' },
    field: '"what":"file"',
    cure: { command: js },
  },
  {
    name: 'content-length-too-great',
    needs: ['node'],
    files: {
      'app.js': `require('node:net').createServer((s) => s.on('data', () => s.end('HTTP/1.1 200 OK\\r\\nContent-Length: 100\\r\\n\\r\\nok'))).listen(PORT);\n`,
    },
    command: js,
    probes: READY,
    fault: { kind: 'closedEarly', after: 'part' },
    field: '"do":"correctLength"',
    cure: JS_OK,
  },
];
