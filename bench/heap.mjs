// The heap that a run's summary takes: 1,000 probes with a period of 10 s, one failure in ten, for as many hours as the
// argument says (a day when it is absent). Folds the lines alone, without a kubelet.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { bundled } from './bundle.mjs';

const HOURS = Number(process.argv[2] ?? 24);
const PODS = 500;
const PERIOD = 10;
const PROBES = ['readiness', 'liveness'];
const AIM = 150;

const { fold, EMPTY_SUMMARY } = await bundled('heap');
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const names = Array.from({ length: PODS }, (_, index) => `default/pod-${index}`);
let summary = EMPTY_SUMMARY;
names.forEach((name, index) => add({ t: 0, kind: 'pod', pod: name, object: pod(index) }));
const empty = heap();
let part = 1;
for (let t = PERIOD, attempt = 1; t <= HOURS * 3600; t += PERIOD, attempt += 1) {
  for (const name of names) for (const probe of PROBES) made(t, name, probe, attempt);
  if (t < (part * HOURS * 3600) / 4) continue;
  const ratio = `${heap().toFixed(1)} MB`;
  process.stdout.write(`after ${((part * HOURS) / 4).toFixed(1)} h: ${ratio} (aim ${AIM})\n`);
  part += 1;
}
process.stdout.write(`before the first attempt: ${empty.toFixed(1)} MB; CPU ${(process.cpuUsage().user / 1e6).toFixed(0)} s\n`); // prettier-ignore

function made(t, name, probe, attempt) {
  const about = { t, pod: name, container: 'app', probe, attempt, containerID: 'test://app' };
  add({ ...about, kind: 'attempt' });
  const isBad = attempt % 10 === 0;
  const status = isBad ? '503 Service Unavailable' : '200 OK';
  const text = `${isBad ? 'database unreachable' : 'ok'} at ${t}`;
  const result = isBad ? 'failure' : 'success';
  add({
    ...about,
    kind: 'attemptDone',
    result,
    output: isBad ? `HTTP probe failed with statuscode: 503 at ${t}` : text,
    statusCode: isBad ? 503 : 200,
    detail: {
      address: '127.0.0.1:8080',
      request: `GET /healthz?at=${t} HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: kube-probe/1.36\r\nAccept: */*\r\nConnection: close\r\n\r\n`,
      response: `HTTP/1.1 ${status}\r\nDate: Sun, 22 Nov 2026 ${t} GMT\r\nContent-Type: text/plain\r\nContent-Length: 20\r\n\r\n`,
      timings: { connect: 0.4, firstByte: 1.2, total: 1.3 },
      body: new TextEncoder().encode(text),
    },
    tries: 1,
    latency: 1.3,
    lastResult: result,
    resultRun: 1,
    threshold: 1,
    nextTick: t + PERIOD,
  });
}

function add(line) {
  summary = fold(summary, line);
}

/** In megabytes. */
function heap() {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

function pod(index) {
  const probe = { httpGet: { path: '/healthz', port: 8080, scheme: 'HTTP' }, initialDelaySeconds: 0, timeoutSeconds: 1, periodSeconds: PERIOD, successThreshold: 1, failureThreshold: 3 }; // prettier-ignore
  const containers = [{ name: 'app', image: 'app:1', readinessProbe: probe, livenessProbe: probe }];
  const metadata = { name: `pod-${index}`, namespace: 'default', uid: `uid-${index}` };
  return { metadata, spec: { containers, restartPolicy: 'Always' }, status: {} };
}
