import { execs, js, JS_OK, node, OK, type ProgramCase, READY } from './program-case.js';

const GREP = 'node ping.js | grep -q PONG';
const LARGE = `, httpHeaders: [{name: X-Context, value: ${'a'.repeat(1500)}}]}, period`;
const hook = (script: string): string =>
  `${READY}, lifecycle: {postStart: {exec: {command: [sh, -c, "${script}"]}}}`;
const STALE = 'shard 2 has a stale connection';
const RUBY = `require 'socket'
require 'yaml'
YAML.load_file('database.yml')
server = TCPServer.new(PORT)
loop do
  client = server.accept
  client.readpartial(2000)
  client.write("HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nConnection: close\\r\\n\\r\\nok")
  client.close
end
`;
const LOGGED = `import json, sys, traceback
try:
    raise ConnectionError('FATAL:  password authentication failed for user "shop"')
except ConnectionError:
    record = {'levelname': 'CRITICAL', 'message': 'startup failed', 'exc_info': traceback.format_exc()}
    print(json.dumps(record), flush=True)
    sys.exit(3)
`;
const LEAK = `for (let n = 0; n < 4; n++) require('node:fs').openSync('app.js');`;
const PHP = [
  ...['php', '-d', 'memory_limit=8M', '-d', 'log_errors=1', '-d', 'error_log=/dev/stderr'],
  ...['-S', '0.0.0.0:PORT', 'app.php'],
];

/** Unprepared faults of 2026-11-26, the second time: kprobe said nothing, or the wrong thing, of what an output or an answer shows. */
export const SHOWN: readonly ProgramCase[] = [
  {
    name: 'exec-word-of-bash',
    needs: ['node', 'dash'],
    files: { 'app.js': OK },
    command: js,
    probes: execs('dash', '-c', '[[ -f app.js ]]'),
    fault: { kind: 'bashOnly', word: '[[' },
    field: 'runWithBash',
    cure: { probes: execs('dash', '-c', '[ -f app.js ]') },
  },
  {
    name: 'exec-grep-hides-the-answer',
    needs: ['node', 'sh'],
    files: { 'app.js': OK, 'ping.js': `console.log('NOAUTH Authentication required.');\n` },
    command: js,
    probes: execs('sh', '-c', GREP),
    fault: { kind: 'commandFailed', text: 'no line that node ping.js writes matches' },
    field: 'runByHand',
    cure: { files: { 'app.js': OK, 'ping.js': `console.log('PONG');\n` } },
  },
  {
    name: 'headers-too-large',
    needs: ['node'],
    files: { 'app.js': OK },
    command: ['node', '--max-http-header-size=1024', 'app.js'],
    probes: READY.replace('}, period', LARGE),
    fault: { kind: 'headersRefused', status: 431 },
    field: 'httpGet.httpHeaders',
    cure: { probes: READY },
  },
  {
    name: 'ruby-settings-syntax',
    needs: ['ruby'],
    files: { 'app.rb': RUBY, 'database.yml': 'production:\n  host: {{ .Values.db }\n' },
    command: ['ruby', 'app.rb'],
    probes: READY,
    fault: { kind: 'crashed', at: 'app.rb:3' },
    field: '["database.yml"]',
    cure: { files: { 'app.rb': RUBY, 'database.yml': 'production:\n  host: db\n' } },
  },
  {
    name: 'node-open-files-in-the-log',
    needs: ['node', 'sh'],
    files: {
      'app.js': node(
        `try { ${LEAK} s.end('ok') } catch (e) { console.error(e.message); s.statusCode = 500; s.end() }`,
      ),
    },
    command: ['sh', '-c', 'ulimit -n 40; exec node app.js'],
    probes: READY,
    fault: { kind: 'errorAnswer', isLogged: true },
    field: '"files"',
    cure: JS_OK,
  },
  {
    name: 'php-memory-in-a-view',
    needs: ['php'],
    files: { 'app.php': `<?php\nwhile (true) $all[] = str_repeat('x', 100000);\n` },
    command: PHP,
    probes: READY,
    fault: { kind: 'errorAnswer', isLogged: true, at: 'app.php:2' },
    cure: { files: { 'app.php': `<?php\necho 'ok';\n` } },
  },
  {
    name: 'post-start-goes-on',
    needs: ['node', 'sh'],
    files: { 'app.js': OK },
    command: js,
    probes: hook('until [ -f migrated ]; do sleep 1; done'),
    fault: { kind: 'hookRunning' },
    field: 'postStart',
    cure: { probes: hook('[ -f app.js ]') },
  },
  {
    name: 'python-traceback-in-json',
    needs: ['python3'],
    files: { 'app.py': LOGGED },
    command: ['python3', 'app.py'],
    probes: READY,
    fault: {
      ...{ kind: 'crashed' },
      text: 'startup failed: ConnectionError: FATAL:  password authentication failed for user "shop"',
    },
    field: '"credentials"',
    cure: { ...JS_OK, command: js },
  },
  {
    name: 'counts-successes-after-a-failure',
    needs: ['node'],
    files: {
      'app.js': `let n = 0;\n${node(`const ok = ++n % 3 > 0; s.statusCode = ok ? 200 : 503; s.end(ok ? 'ok' : '${STALE}')`)}`,
    },
    command: js,
    probes: READY.replace('}, period', '}, successThreshold: 4, period'),
    fault: { kind: 'errorAnswer', text: STALE },
    field: 'fixAnswer',
    cure: JS_OK,
  },
  {
    name: 'says-down-with-200',
    needs: ['node'],
    files: { 'app.js': node(`s.end('{"status":"DOWN"}')`) },
    command: js,
    probes: READY,
    fault: { kind: 'successDown', status: 200, state: 'DOWN' },
    field: 'answerBadStatus',
    cure: { files: { 'app.js': node(`s.statusCode = 200; s.end('{"status":"UP"}')`) } },
  },
];
