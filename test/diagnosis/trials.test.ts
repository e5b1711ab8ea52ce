import { expect, it } from 'vitest';

import { attemptFault } from '../../src/diagnosis/attempt-fault.js';
import { NO_PATH, OF_COMMAND, trialsFor, withTrial } from '../../src/diagnosis/trials.js';
import { firstChange } from '../../src/diagnosis/words.js';
import { newPodSummary } from '../../src/trace/summary/fold.js';
import { buildAttempt } from '../helpers/attempt.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';

const NOT_FOUND = { kind: 'notFound', path: '/healthz', text: '' } as const;
/** Paths for probes that other servers have. */
const COMMON = ['/health', '/up', '/readyz', '/livez'];
const PORTS = [
  { name: 'http', containerPort: 8080 },
  { name: 'admin', containerPort: 8081 },
  { containerPort: 9090 },
];

it.each([
  ['http', ['/healthz/', 'admin', 9090, ...COMMON]],
  [8080, ['/healthz/', 'admin', 9090, ...COMMON]],
])('a path that port %s does not have is tried at the other declared ports', (port, values) => {
  const spec = buildProbe({ httpGet: { path: '/healthz', port } });
  const trials = trialsFor(NOT_FOUND, spec, buildContainer({ ports: PORTS }));
  expect(trials.map(({ to }) => to)).toEqual(values);
});

it('a path that the port does not have is tried at other ports of the program', () => {
  const spec = buildProbe({ httpGet: { path: '/healthz', port: 8080 } });
  const trials = trialsFor(NOT_FOUND, spec, buildContainer({ ports: PORTS }), [8080, 8081, 9001]);
  expect(trials.map(({ to }) => to)).toEqual(['/healthz/', 'admin', 9090, 9001, ...COMMON]);
});

const HOST = [{ name: 'Host', value: 'localhost' }];

it.each([
  ['/healthz', ['HTTPS', 'admin', 9090, HOST, NO_PATH.to]],
  ['/', ['HTTPS', HOST, NO_PATH.to]],
])('a server that closes connections for %s is tried with %j', (path, values) => {
  const spec = buildProbe({ httpGet: { path, port: 8080 } });
  const closed = { kind: 'closedEarly', after: 'nothing', reset: false } as const;
  const trials = trialsFor(closed, spec, buildContainer({ ports: PORTS }));
  expect(trials.map(({ to }) => to)).toEqual(values);
});

it('a server that denies access is asked as a browser would', () => {
  const spec = buildProbe({ httpGet: { path: '/healthz', port: 8080 } });
  const trials = trialsFor({ kind: 'forbidden', text: '' }, spec, buildContainer({}));
  const to = [{ name: 'User-Agent', value: 'Mozilla/5.0' }];
  expect(trials).toEqual([{ field: 'httpGet.httpHeaders', to }]);
});

it('a port without a root page has no trial, since others may have one for anything', () => {
  const spec = buildProbe({ httpGet: { path: '/', port: 'http' } });
  const trials = trialsFor({ ...NOT_FOUND, path: '/' }, spec, buildContainer({ ports: PORTS }));
  expect(trials).toEqual([]);
});

it('paths for probes that the answer lists are tried first', () => {
  const spec = buildProbe({ httpGet: { path: '/healthz', port: 8080 } });
  const listed = ['/readyz', '/livez'];
  const trials = trialsFor({ ...NOT_FOUND, listed }, spec, buildContainer());
  expect(trials.map(({ to }) => to)).toEqual(['/readyz', '/livez', '/healthz/', '/health', '/up']);
});

it('another port that has the path is proposed', () => {
  const readinessProbe = buildProbe({ httpGet: { path: '/healthz', port: 'http' } });
  const pod = buildPod({
    spec: { containers: [buildContainer({ readinessProbe, ports: PORTS })] },
  });
  const [container] = newPodSummary('default/web', pod, 0).containers;
  const field = 'readinessProbe.httpGet.port';
  const answered = { result: 'success', word: '200', latency: 1 } as const;
  const trials = [{ t: 2, run: 0, field, to: 'admin', ...answered }];
  const probe = { ...container!.probes[0]!, trials };
  const attempt = buildAttempt({ result: 'failure', statusCode: 404 });
  const finding = attemptFault({ container: container!, probe }, attempt);
  expect(firstChange(finding!)).toBe(`Set ${field} to admin (tried: 200)`);
});

const STANDBY = { kind: 'errorAnswer', text: 'sealed: false, standby: true' } as const;
const ALL = 'standbyok=true&perfstandbyok=true';

it.each([
  ['/v1/sys/health', [`?${ALL}`]],
  ['/v1/sys/health?standbyok=true', ['&perfstandbyok=true']],
  [`/v1/sys/health?${ALL}`, []],
])('a standby of Vault at %s is tried with the parameters that it lacks', (path, added) => {
  const spec = buildProbe({ httpGet: { path, port: 8200 } });
  const trials = trialsFor(STANDBY, spec, buildContainer());
  expect(trials.map(({ to }) => to)).toEqual(added.map((each) => `${path}${each}`));
});

it.each([
  ['', ['shop.v1.Orders', 'readiness']],
  ['shop', ['shop.v1.Orders', 'readiness', '']],
])('a health service that does not know "%s" is asked for %j', (service, names) => {
  const spec = buildProbe({ grpc: { port: 9000, service } });
  const listed = ['shop.v1.Orders', 'readiness'];
  const trials = trialsFor({ kind: 'unknownService', service, listed }, spec, buildContainer());
  expect(trials.map(({ to }) => to)).toEqual(names);
});

it('a server that does not answer is asked for another path, too', () => {
  const spec = buildProbe({ httpGet: { path: '/healthz', port: 8080 } });
  const silent = { kind: 'noAnswer', timeout: 1, accepted: true } as const;
  const trials = trialsFor(silent, spec, buildContainer());
  expect(trials.map(({ to }) => to)).toEqual([10, NO_PATH.to]);
});

const FAILED = { kind: 'commandFailed', text: '' } as const;

it.each([
  [['curl', '-fs', 'http://localhost:8080/state'], ['http://127.0.0.1:8080/state']],
  [['sh', '-c', 'curl -s 127.0.0.1:8080?a=1 | grep -q ok'], ['http://127.0.0.1:8080/?a=1']],
  [['wget', '-qO-', 'https://[::1]:8443/'], ['https://127.0.0.1:8443/']],
  [['sh', '-c', 'curl -s http://localhost:8080/$NAME'], []],
  [['curl', '-X', 'POST', 'http://localhost:8080/'], []],
  [['curl', '--header', 'A: b', 'http://localhost:8080/'], []],
  [['wget', '--method=DELETE', '-qO-', 'http://localhost:8080/'], []],
  [['curl', '--upload-file', 'a', 'http://localhost:8080/'], []],
  [['curl', 'http://db:8080/'], []],
  [['sh', '-c', 'curl localhost:80/a && curl localhost:80/b'], []],
  [['grpcurl', 'localhost:9000'], []],
])('what %j asks is asked again: %j', (command, values) => {
  const { httpGet: _, ...spec } = buildProbe({ exec: { command } });
  expect(trialsFor(FAILED, spec, buildContainer({})).map(({ to }) => to)).toEqual(values);
});

it('the request of a command takes the place of the command', () => {
  const readinessProbe = buildProbe({ exec: { command: ['curl'] } });
  const planned = { field: OF_COMMAND, to: 'https://127.0.0.1:8443/a?b=c' };
  const changed = withTrial(buildContainer({ readinessProbe }), 'readiness', planned);
  expect(changed.readinessProbe?.exec).toBeUndefined();
  expect(changed.readinessProbe?.httpGet).toEqual({ scheme: 'HTTPS', port: 8443, path: '/a?b=c' });
});
