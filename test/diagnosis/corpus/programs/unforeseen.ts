import {
  answers,
  execs,
  js,
  JS_OK,
  node,
  OK,
  type ProgramCase,
  READY,
  readyAt,
} from './program-case.js';

/** A server of Node that sends a response as it is given, and then closes the connection or not. */
const raw = (response: string, send: 'end' | 'write' = 'end'): string =>
  `require('node:net').createServer((c) => {
  c.on('error', () => undefined);
  c.once('data', () => c.${send}(${JSON.stringify(response)}));
}).listen(PORT);
`;

const UNTRUSTED = `<!DOCTYPE html><html><head><title>Nextcloud</title></head><body><h2>Access through untrusted domain</h2></body></html>`;

/** Faults of 2026-11-29 that were wrong or without advice at first. */
export const UNFORESEEN: readonly ProgramCase[] = [
  {
    name: 'answer-without-an-end',
    needs: ['node'],
    files: { 'app.js': raw('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nok', 'write') },
    command: js,
    probes: READY,
    fault: { kind: 'unfinishedAnswer', isOpen: true },
    field: '"endAnswer"',
    cure: JS_OK,
  },
  {
    name: 'answer-of-two-lengths',
    needs: ['node'],
    files: {
      'app.js': raw('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!'),
    },
    command: js,
    probes: READY,
    fault: { kind: 'badHTTP' },
    field: '"fixResponse"',
    cure: JS_OK,
  },
  {
    name: 'chunk-without-a-length',
    needs: ['node'],
    files: { 'app.js': raw('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nok\r\n') },
    command: js,
    probes: READY,
    fault: { kind: 'badHTTP', text: 'invalid byte in chunk length' },
    field: '"fixResponse"',
    cure: JS_OK,
  },
  {
    name: 'waits-for-a-downstream',
    needs: ['node'],
    files: { 'app.js': node(`setTimeout(() => { s.statusCode = 503; s.end('no answer') }, 3000)`) },
    command: js,
    probes: READY,
    fault: { kind: 'noAnswer', accepted: true },
    field: '"findWait"',
    cure: JS_OK,
  },
  {
    name: 'key-in-a-header',
    needs: ['node'],
    files: { 'app.js': answers(401, '{"error":"API key required in header X-Api-Key"}') },
    command: js,
    probes: READY,
    fault: { kind: 'noCredentials' },
    field: '"X-Api-Key"',
    cure: {
      files: { 'app.js': node(`s.statusCode = q.headers['x-api-key'] ? 200 : 401; s.end()`) },
      probes:
        'readinessProbe: {httpGet: {path: /, port: PORT, httpHeaders: [{name: X-Api-Key, value: a}]}, periodSeconds: 1}',
    },
  },
  {
    name: 'untrusted-domain',
    needs: ['node'],
    files: {
      'app.js': node(
        `s.statusCode = q.headers.host.startsWith('localhost') ? 200 : 400; s.end(\`${UNTRUSTED}\`)`,
      ),
    },
    command: js,
    probes: readyAt('/status.php'),
    fault: { kind: 'hostRejected', status: 400 },
    field: 'httpGet.httpHeaders',
    cure: 'proven',
  },
  {
    name: 'folder-for-a-program',
    needs: ['node'],
    files: { 'app.js': OK },
    build: 'mkdir bin',
    command: ['./bin'],
    probes: READY,
    fault: { kind: 'programMissing' },
    field: '"correct"',
    cure: { command: js, build: 'true' },
  },
  {
    name: 'folder-for-a-file',
    needs: ['node'],
    files: { 'app.js': `require('node:fs').readFileSync('settings.json');\n${OK}` },
    build: 'mkdir settings.json',
    command: js,
    probes: READY,
    fault: { kind: 'crashed', text: 'Error: EISDIR: illegal operation on a directory, read' },
    field: '"folder"',
    cure: { build: 'echo {} > settings.json' },
  },
  {
    name: 'too-many-threads',
    needs: ['python3'],
    files: { 'app.py': `raise RuntimeError("can't start new thread")\n` },
    command: ['python3', 'app.py'],
    probes: execs('true'),
    fault: { kind: 'crashed', text: "RuntimeError: can't start new thread" },
    field: '"threads"',
    cure: { files: { 'app.py': 'import time; time.sleep(60)\n' } },
  },
];
