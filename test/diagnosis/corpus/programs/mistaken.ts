import { execs, js, JS_OK, nginx, nginxConf, OK, type ProgramCase, READY } from './program-case.js';

const TYPED = `const port: number = PORT;
require('node:http').createServer((q: any, s: any) => s.end('ok')).listen(port);
`;
const WAITING = `while [ ! -f secrets.txt ]; do sleep 1; done
exec node app.js
`;
const LIMITED = 'listen PORT; location / { limit_req zone=z; root .; }';
const ZONE = 'limit_req_zone $binary_remote_addr zone=z:1m rate=1r/m;\n  server';
const REGION = `const known = ['eu-west-1', 'us-east-1'];
const { REGION } = process.env;
if (!known.includes(REGION)) throw new Error('config: no such region ' + REGION);
${OK}`;

/** It lives for long enough to be looked at. */
const UNSETTLED = `await new Promise((resolve) => setTimeout(resolve, 3000));
await new Promise(() => {});
`;

const region = (value: string): string => `env: [{name: REGION, value: ${value}}], ${READY}`;
const hook = (...command: readonly string[]): string =>
  `lifecycle: {postStart: {exec: {command: ${JSON.stringify(command)}}}}, ${READY}`;

/** A set of the evening of 2026-11-29: faults whose first advice was wrong, or fits any program. */
export const MISTAKEN: readonly ProgramCase[] = [
  {
    name: 'typescript-for-node',
    needs: ['node'],
    files: { 'app.ts': TYPED },
    command: ['node', '-r', './app.ts'],
    probes: READY,
    fault: { kind: 'crashed', at: 'app.ts:1' },
    field: '"compiled"',
    cure: { ...JS_OK, command: js },
  },
  {
    name: 'await-that-never-settles',
    needs: ['node'],
    files: { 'app.mjs': UNSETTLED, 'app.js': OK },
    command: ['node', 'app.mjs'],
    probes: `readinessProbe: {httpGet: {port: PORT}, periodSeconds: 1}`,
    fault: { kind: 'crashed', text: 'an await at the top level of a module never settles' },
    cure: { command: js },
  },
  {
    name: 'loop-around-sleep',
    needs: ['node'],
    files: { 'start.sh': WAITING, 'app.js': OK },
    command: ['sh', 'start.sh'],
    probes: READY,
    fault: { kind: 'notListening', program: 'nowhere' },
    field: '"findLoop"',
    cure: { files: { 'secrets.txt': 'x' } },
  },
  {
    name: 'nginx-limits-probes',
    needs: ['nginx'],
    files: { 'nginx.conf': nginxConf(LIMITED).replace('server', ZONE), healthz: 'ok' },
    command: nginx,
    probes: READY,
    fault: { kind: 'rateLimited', status: 503 },
    field: '"noLimit"',
    cure: { files: { 'nginx.conf': nginxConf('listen PORT; root .;') } },
  },
  {
    name: 'value-of-a-variable',
    needs: ['node'],
    files: { 'app.js': REGION },
    command: js,
    probes: region('eu-west-9'),
    fault: { kind: 'crashed', text: 'Error: config: no such region eu-west-9' },
    field: '"name":"REGION"',
    cure: { probes: region('eu-west-1') },
  },
  {
    name: 'exec-curl-of-a-wrong-path',
    needs: ['node', 'curl'],
    files: {
      'app.js': OK.replace('s.end', `s.statusCode = q.url === '/livez' ? 200 : 404; s.end`),
    },
    command: js,
    probes: execs('curl', '-fsS', 'http://127.0.0.1:PORT/healthz'),
    fault: { kind: 'commandFailed', text: 'curl: (22) The requested URL returned error: 404' },
    field: 'the path of the URL',
    cure: { probes: execs('curl', '-fsS', 'http://127.0.0.1:PORT/livez') },
  },
  {
    name: 'post-start-not-executable',
    needs: ['node'],
    files: { 'app.js': OK, 'warm.sh': '#!/bin/sh\ntrue\n' },
    command: js,
    probes: hook('./warm.sh'),
    fault: { kind: 'hookFailed', hook: 'postStart' },
    field: '"executable"',
    cure: { probes: hook('sh', './warm.sh') },
  },
];
