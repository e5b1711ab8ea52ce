import { execs, js, JS_OK, node, OK, type ProgramCase, READY, readyAt } from './program-case.js';

const UNDEFINED_HOST = `fetch('http://' + process.env.API_HOST + ':OTHER/').then(() => {
  ${OK.trim()}
});
`;
const LEVEL = `const { LOG_LEVEL } = process.env;
if (LOG_LEVEL !== 'info') throw new Error('default level:' + LOG_LEVEL + ' must be included');
${OK}`;
const level = (value: string): string => `env: [{name: LOG_LEVEL, value: "${value}"}], ${READY}`;
const WRITES = `i=0; while [ $i -lt 40 ]; do i=$((i + 1)); echo 0123456789 >> log.txt; done
exec node app.js
`;
const LICENSE = `import logging, os, socket, sys
logging.basicConfig(level=logging.INFO)
try:
    socket.create_connection(('127.0.0.1', OTHER))
except OSError:
    logging.exception('no cache, going on')
logging.info('reading license')
if not os.path.exists('license.txt'): sys.exit('license: 16 characters expected, found 0')
os.execvp('node', ['node', 'app.js'])
`;
const BROWSERS = `s.statusCode = /^Mozilla/.test(q.headers['user-agent']) ? 200 : 403; s.end()`;
const LOGIN = `s.writeHead(q.url === '/live' ? 200 : q.url === '/login' ? 404 : 302, { location: '/login' });
  s.end()`;
const BELOW_SHOP = node(`s.statusCode = q.url === '/shop/healthz' ? 200 : 404; s.end()`);
const ENVOY = node(`s.statusCode = 503;
  s.end('upstream connect error or disconnect/reset before headers. reset reason: remote connection failure')`);
const CHECK = "fetch('http://127.0.0.1:PORT/').then((r) => process.exit(r.ok ? 0 : 1))";

/** A set of the night of 2026-11-29: faults whose first cause was wrong, or whose first advice did not help. */
export const MET: readonly ProgramCase[] = [
  {
    name: 'host-of-a-missing-variable',
    needs: ['node'],
    files: { 'app.js': UNDEFINED_HOST },
    command: js,
    probes: READY,
    fault: { kind: 'crashed' },
    field: '"setVariable"',
    cure: {
      files: { 'app.js': UNDEFINED_HOST.replace('.then(', '.catch(') },
      probes: `env: [{name: API_HOST, value: localhost}], ${READY}`,
    },
  },
  {
    name: 'blank-after-a-value',
    needs: ['node'],
    files: { 'app.js': LEVEL },
    command: js,
    probes: level('info '),
    fault: { kind: 'crashed', at: 'app.js:2' },
    field: '"name":"LOG_LEVEL"',
    cure: { probes: level('info') },
  },
  {
    name: 'limit-of-file-size',
    needs: ['dash', 'node'],
    files: { 'run.sh': WRITES, 'app.js': OK },
    command: ['sh', '-c', 'ulimit -f 0; exec sh run.sh'],
    probes: READY,
    fault: { kind: 'signalled', signal: 'XFSZ' },
    field: '"limit"',
    cure: { command: ['sh', 'run.sh'] },
  },
  {
    name: 'license-after-a-handled-error',
    needs: ['python3', 'node'],
    files: { 'app.py': LICENSE, 'app.js': OK },
    command: ['python3', 'app.py'],
    probes: READY,
    fault: { kind: 'crashed', text: 'license: 16 characters expected, found 0' },
    cure: { files: { 'license.txt': 'x' } },
  },
  {
    name: 'denies-programs',
    needs: ['node'],
    files: { 'app.js': node(BROWSERS) },
    command: js,
    probes: READY,
    fault: { kind: 'forbidden' },
    field: 'User-Agent',
    cure: {
      probes: READY.replace('PORT', 'PORT, httpHeaders: [{name: User-Agent, value: Mozilla}]'),
    },
  },
  {
    name: 'redirect-to-nothing',
    needs: ['node'],
    files: { 'app.js': node(LOGIN) },
    command: js,
    probes: READY,
    fault: { kind: 'redirect', to: '/login', end: 'notFound' },
    cure: { probes: readyAt('/live') },
  },
  {
    name: 'variable-in-a-path',
    needs: ['node'],
    files: { 'app.js': BELOW_SHOP },
    command: js,
    probes: readyAt('/$(BASE)/healthz'),
    fault: { kind: 'notExpanded', words: ['$(BASE)'], isField: true },
    field: 'readinessProbe.httpGet.path',
    cure: { probes: readyAt('/shop/healthz') },
  },
  {
    name: 'proxy-without-upstream',
    needs: ['node'],
    files: { 'app.js': ENVOY },
    command: js,
    probes: READY,
    fault: { kind: 'errorAnswer' },
    field: '"peer"',
    cure: JS_OK,
  },
  {
    name: 'exec-word-of-docker',
    needs: ['node'],
    files: { 'app.js': OK },
    command: js,
    probes: execs('CMD', 'node', '-e', CHECK),
    fault: { kind: 'commandMissing', command: 'CMD' },
    field: '"word":"CMD"',
    cure: { probes: execs('node', '-e', CHECK) },
  },
];
