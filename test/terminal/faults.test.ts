import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';

import { describe, it } from 'vitest';

import { freePort } from '../helpers/free-port.js';
import { ROOT } from '../helpers/kprobe.js';
import { openTerminal } from '../helpers/terminal.js';

const BIN = join(ROOT, 'bin/kprobe.js');

interface Fault {
  readonly name: string;
  /** Fields of the container, as YAML; PORT and OTHER stand for free ports. */
  readonly container: string;
  /** The container's command, or the source of a server in JavaScript. */
  readonly command?: string;
  readonly server?: string;
  readonly flags?: string;
  readonly cause: RegExp;
  readonly next?: RegExp;
  readonly change: RegExp;
}

const http = (answer: string): string =>
  `require('http').createServer((q, s) => { ${answer} }).listen(PORT)`;
const readiness = 'readinessProbe: { httpGet: { port: PORT }, periodSeconds: 1 }';
const grpc = 'readinessProbe: { grpc: { port: PORT }, periodSeconds: 1, timeoutSeconds: 1 }';
const crash = (output: string): string =>
  `console.error(${JSON.stringify(output)}); setTimeout(() => process.exit(2), 100)`;
const PANIC =
  'panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:15 +0x34\nexit status 2';
const TRACEBACK =
  'Traceback (most recent call last):\n  File "/app/app.py", line 3, in load\n    x[0]\nIndexError: list index out of range\nbye';

const FAULTS: readonly Fault[] = [
  {
    name: 'readiness 503 with a JSON body',
    container: readiness,
    server: http(`s.statusCode = 503; s.end('{"status":"down","error":"no database"}')`),
    cause: /✗ app: readiness \d+ × HTTP 503; the answer says: no database$/m,
    next: /→ 1 success, earliest/,
    change: /= Fix what the answer names/,
  },
  {
    name: 'a startup budget that is too short',
    container: 'startupProbe: { httpGet: { port: PORT }, periodSeconds: 1, failureThreshold: 3 }',
    server: http(`s.statusCode = 503; s.end('loading')`),
    cause: /startup \d+ × HTTP 503; the answer says: loading; the startup\s+budget is 3 s/,
    next: /killed/,
    change: /raise startupProbe\.failureThreshold/,
  },
  {
    name: 'a liveness timeout under load',
    // On a busy machine, the first answer may be late, too, and the screen long in coming. kprobe's trials are answered, too.
    container: `livenessProbe:
        { httpGet: { port: PORT }, periodSeconds: 1, timeoutSeconds: 2, failureThreshold: 40 }`,
    server: `let first; ${http(
      'first ??= Date.now(); setTimeout(() => s.end(), Date.now() - first < 5000 ? 1100 : 60000)',
    )}`,
    cause: /✗ app: liveness \d+ × timeout at 2 s; answers took up to 1\.\d+ s before/,
    next: /more failures?, earliest/,
    change: /= Perhaps raise livenessProbe\.timeoutSeconds to 3/,
  },
  {
    name: 'a wrong port',
    container: readiness,
    server: `require('http').createServer((q, s) => s.end()).listen(OTHER)`,
    cause: /nothing listens on port PORT; the program\s+listens on port OTHER/,
    change: /= Set readinessProbe\.httpGet\.port to OTHER \(tried: 200\)/,
  },
  {
    name: 'a port name that is missing',
    container: `ports: [{ name: web, containerPort: PORT }]
      readinessProbe: { httpGet: { port: http }, periodSeconds: 1 }`,
    server: http('s.end()'),
    flags: '--no-validate',
    cause: /no port of the container is named http/,
    change: /= Set readinessProbe\.httpGet\.port to web \(tried: 200\)/,
  },
  {
    name: 'a port in use',
    container: readiness,
    server: `require('http').createServer().listen(TAKEN)`,
    cause:
      /✗ app crashed \d+ × \(exit 1\): Error: listen EADDRINUSE: address already\s+in use\s+:::TAKEN/,
    change: /= Free port TAKEN, or let the program listen on another one/,
  },
  {
    name: 'a probe command that is missing',
    container: 'livenessProbe: { exec: { command: [/app/check] }, periodSeconds: 1 }',
    command: 'sleep 100',
    flags: '--allow-local-exec',
    cause: /✗ app: liveness errors; \/app\/check is not there/,
    next: /→ errors don't count: not restarted/,
    change: /= Correct livenessProbe\.exec\.command, or add \/app\/check to the image/,
  },
  {
    name: 'gRPC NOT_SERVING',
    container: grpc,
    server: `const h2 = require('http2').createServer();
h2.on('stream', (s) => {
  s.on('error', () => {});
  s.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  s.on('wantTrailers', () => s.sendTrailers({ 'grpc-status': '0' }));
  s.end(Buffer.from([0, 0, 0, 0, 2, 8, 2]));
});
h2.listen(PORT)`,
    cause: /readiness \d+ × unhealthy; the server answers that it is not serving/,
    change: /= Let the server report SERVING once it is ready/,
  },
  {
    name: 'no gRPC server',
    container: grpc,
    command: 'sleep 100',
    cause: /readiness \d+ × timeout at 1 s; nothing listens on\s+\S+:PORT/,
    // No change is known to help: sleep is no server on any port.
    change: /the\s+program\s+listens\s+on\s+no\s+port/,
  },
  {
    name: 'a crash in Node',
    container: readiness,
    server: `setTimeout(() => { throw new TypeError('port is not a number') }, 100)`,
    cause: /✗ app crashed \d+ × \(exit 1\): TypeError: port is not a number \(server\.cjs:1\)/,
    next: /→ .*(?:restarted|starts again)/,
    change: /= Fix what the error names, or the program at server\.cjs:1/,
  },
  {
    name: 'a crash in Go',
    container: readiness,
    server: crash(PANIC),
    cause: /✗ app crashed \d+ × \(exit 2\): panic: assignment to entry in nil map \(main\.go:15\)/,
    next: /→ .*(?:restarted|starts again)/,
    change: /= Fix what the error names, or the program at main\.go:15/,
  },
  {
    name: 'a crash in Python',
    container: readiness,
    server: crash(TRACEBACK),
    cause: /✗ app crashed \d+ × \(exit 2\): IndexError: list index out of range \(app\.py:3\)/,
    next: /→ .*(?:restarted|starts again)/,
    change: /= Fix what the error names, or the program at app\.py:3/,
  },
  {
    name: 'a command that is missing',
    container: readiness,
    command: './no-such-program',
    cause: /✗ app cannot start: .*no-such-program/,
    change: /= Correct the command, or add the program to the image/,
  },
  {
    name: 'a secret that is missing',
    container: `env: [{ name: KEY, valueFrom: { secretKeyRef: { name: keys, key: api } } }]
      ${readiness}`,
    command: 'sleep 100',
    cause: /✗ app cannot start: secret "keys" not found/,
    next: /→ the kubelet tries again every 10 – 16 s/,
    change: /= Add the Secret keys to the manifests, or set optional: true/,
  },
];

describe('the first screen at 80×24', () => {
  it.each(FAULTS)('names cause and change: $name', async (fault) => {
    await using terminal = await openTerminal({ columns: 80, rows: 24 });
    const { tmux, folder } = terminal;
    const [port, other] = [await freePort(), await freePort()];
    await using taken = await takenPort();
    const fill = (text: string): string =>
      text
        .replaceAll('PORT', String(port))
        .replaceAll('OTHER', String(other))
        .replaceAll('TAKEN', String(taken.port));
    const pattern = ({ source, flags }: RegExp): RegExp => new RegExp(fill(source), flags);
    writeFileSync(join(folder, 'pod.yaml'), fill(manifest(fault.container)));
    writeFileSync(join(folder, 'server.cjs'), fill(fault.server ?? ''));
    const { command = `'${process.execPath}' server.cjs`, flags = '' } = fault;
    tmux.enter(`'${process.execPath}' '${BIN}' run ${flags} pod.yaml -- ${command}`);
    await tmux.shows(/^web +default/m);
    const expected = [fault.cause, fault.change, fault.next ?? /^/].map(pattern);
    const screen = await tmux.shows(...expected);
    if (process.env['SHOW'] !== undefined) process.stdout.write(`${fault.name}\n${screen}`);
    tmux.press('q');
    await tmux.shows(/^cause +app/m, /^exit code/m);
  });
});

function manifest(container: string): string {
  return `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  terminationGracePeriodSeconds: 2
  containers:
    - name: app
      image: example/web:1
      ${container}
`;
}

/** A port that somebody else listens on. */
async function takenPort(): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
