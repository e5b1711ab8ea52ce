import { describe, expect, it } from 'vitest';

import type { Container } from '../../src/api/index.js';
import { eventFacts } from '../../src/diagnosis/event-meaning.js';
import { eventMeaning as meaningOf } from '../../src/diagnosis/words.js';
import { loadManifest } from '../../src/manifest/pods/load-manifest.js';

function eventMeaning(text: string, containers: readonly Container[]) {
  const facts = eventFacts(text, containers);
  return facts && meaningOf(facts);
}

/** Text, reason, cause and change. */
const EVENTS: readonly (readonly [text: string, reason: string, cause: string, change?: string])[] =
  [
    [
      'Readiness probe failed: HTTP probe failed with statuscode: 404',
      'Unhealthy',
      "the server answers, but has nothing at the probe's path",
      'Correct readinessProbe.httpGet.path',
    ],
    [
      'Liveness probe failed: HTTP probe failed with statuscode: 418',
      'Unhealthy',
      'the server answered with status 418; 200 to 399 are successes',
    ],
    [
      'Warning  Unhealthy  3s (x4 over 30s)  kubelet  Readiness probe failed: Get "http://10.1.0.5:8080/healthz": dial tcp 10.1.0.5:8080: connect: connection refused',
      'Unhealthy',
      'nothing listens on 10.1.0.5:8080: not up yet, another port, or another address',
    ],
    [
      'Liveness probe failed: Get "https://10.1.0.5:8443/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
      'Unhealthy',
      'the server accepts the connection, but does not answer within timeoutSeconds (1 by default)',
    ],
    [
      'Liveness probe failed: Get "https://10.1.0.5:8080/": http: server gave HTTP response to HTTPS client',
      'Unhealthy',
      'the port answers plain HTTP, the scheme is HTTPS',
      'Perhaps set livenessProbe.httpGet.scheme to HTTP',
    ],
    [
      'Startup probe failed: dial tcp 10.1.0.5:5432: connect: connection refused',
      'Unhealthy',
      'nothing listens on 10.1.0.5:5432: not up yet, another port, or another address',
    ],
    [
      'Liveness probe failed: timeout: failed to connect service "10.1.0.5:9000" within 2s: context deadline exceeded',
      'Unhealthy',
      'no gRPC server without TLS answers on port 9000: not up yet, another port, another address, or another protocol',
    ],
    [
      'Readiness probe failed: service unhealthy (responded with "NOT_SERVING")',
      'Unhealthy',
      'the server answers that it is not serving',
    ],
    [
      'Readiness probe failed: error: health rpc probe failed: rpc error: code = NotFound desc = unknown service',
      'Unhealthy',
      'the health service does not know the service that the probe names',
      'Correct readinessProbe.grpc.service',
    ],
    [
      'Liveness probe failed: command timed out: "sleep 5" timed out after 3s',
      'Unhealthy',
      'the command takes longer than the timeout of 3 s',
      'Raise livenessProbe.timeoutSeconds if it needs longer',
    ],
    [
      'Liveness probe failed: cat: /tmp/healthy: No such file or directory',
      'Unhealthy',
      'the command ended with an exit code other than 0, and printed: cat: /tmp/healthy: No such file or directory',
    ],
    [
      'Liveness probe errored and resulted in unknown state: rpc error: code = Unknown desc = failed to exec in container: exec: "curl": executable file not found in $PATH',
      'Unhealthy',
      "curl is not there: a probe's command has to be in the container's image",
      'Correct livenessProbe.exec.command, or add curl to the image',
    ],
    [
      'Readiness probe warning: Probe terminated redirects, Response body: moved',
      'ProbeWarning',
      'the answer is a redirect that the kubelet does not follow, and counts as a success',
    ],
    [
      'Error: secret "db" not found',
      'Failed',
      'secret "db" not found',
      'Add the Secret db to the manifests, or set optional: true where it is used',
    ],
    [
      "Error: couldn't find key url in ConfigMap default/app",
      'Failed',
      "couldn't find key url in ConfigMap default/app",
      'Add the key url, or correct the key in env[].valueFrom',
    ],
    [
      'Error: container has runAsNonRoot and image will run as root (pod: "web_default(3a01892f-116c-4bb8-9feb-3f7ae31f0b8b)", container: app)',
      'Failed',
      'container has runAsNonRoot and image will run as root',
      'Set securityContext.runAsUser to a user other than 0',
    ],
  ];

it.each(EVENTS)('says why and what helps: %s', (text = '', reason, cause, change) => {
  const meaning = eventMeaning(text, []);
  expect(meaning).toMatchObject({ reason, cause });
  if (change !== undefined) expect(meaning?.change).toBe(change);
});

it.each([
  ['Container app failed liveness probe, will be restarted', 'Killing'],
  ['Container app failed startup probe', 'Killing'],
  ['Init container proxy failed startup probe', 'Killing'],
  ['Container app definition changed, will be restarted', 'Killing'],
  ['Stopping container app', 'Killing'],
  ['Back-off restarting failed container app in pod web_default(1)', 'BackOff'],
  ['back-off 40s restarting failed container=app pod=web_default(1)', 'BackOff'],
  ['Back-off pulling image "web:1"', 'BackOff'],
  ['Failed to pull image "web:1": not found', 'Failed'],
  ['Error: ImagePullBackOff', 'Failed'],
  ['Container image "web:1" is not present with pull policy of Never', 'ErrImageNeverPull'],
  ['Failed to apply default image tag "A B": bad', 'InspectFailed'],
  ['PostStartHook failed', 'FailedPostStartHook'],
  ['PreStopHook failed', 'FailedPreStopHook'],
  [
    'request to HTTPS lifecycle hook 10.0.0.1:8443 got HTTP response, retry with HTTP succeeded',
    'LifecycleHTTPFallback',
  ],
  ['MountVolume.SetUp failed for volume "v" : configmap "c" not found', 'FailedMount'],
  ['Failed to create sandbox for pod "web": no network', 'FailedCreatePodSandBox'],
  ['Pod sandbox changed, it will be killed and re-created.', 'SandboxChanged'],
  ['Pod was active on the node longer than the specified deadline', 'DeadlineExceeded'],
  ['The node was low on resource: memory. Threshold quantity: 100Mi', 'Evicted'],
  ['Usage of EmptyDir volume "cache" exceeds the limit "1Mi". ', 'Evicted'],
  ['Container app exceeded its local ephemeral storage limit "1Mi". ', 'Evicted'],
  ['Pod ephemeral local storage usage exceeds the total limit of containers 1Mi. ', 'Evicted'],
  ['0/3 nodes are available: 3 Insufficient cpu.', 'FailedScheduling'],
  ['error killing pod: context deadline exceeded', 'FailedKillPod'],
  ['Started container app', 'Normal'],
])('knows %s', (text, reason) => {
  const meaning = eventMeaning(text, []);
  expect(meaning?.reason).toBe(reason);
  expect(Object.values(meaning ?? {}).join()).not.toMatch(/undefined|NaN/);
});

it('is undefined for a text of no event', () => {
  expect(eventMeaning('hello', [])).toBeUndefined();
});

describe('with the container of a manifest', () => {
  const text = `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [
    {name: app, image: a, livenessProbe: {httpGet: {path: /live, port: 80}, timeoutSeconds: 4, failureThreshold: 1}}]}}`;
  const containers = loadManifest([{ file: 'pod.yaml', text }]).pods.flatMap(
    ({ pod }): readonly Container[] => pod.spec.containers,
  );

  it('names its own settings', () => {
    const meaning = eventMeaning(
      'Liveness probe failed: HTTP probe failed with statuscode: 404',
      containers,
    );
    expect(meaning?.cause).toBe('the server answers, but has nothing at /live');
    expect(meaning?.next).toBe(
      'After one failure, the kubelet kills the container and restarts it.',
    );
    const slow = 'Liveness probe failed: Get "http://10.0.0.1/live": context deadline exceeded';
    expect(eventMeaning(slow, containers)?.cause).toBe('no answer within the timeout of 4 s');
  });
});

it('a liveness probe that is refused gets advice for a slow start, and a readiness probe none', () => {
  const changesOf = (probe: string) => {
    const text = `${probe} probe failed: dial tcp 10.1.0.5:80: connect: connection refused`;
    const facts = eventFacts(text, []);
    return facts?.kind === 'attempt' ? facts.finding?.changes : undefined;
  };
  expect(changesOf('Liveness')).toMatchObject([{ advice: { do: 'addStartupProbe' } }]);
  expect(changesOf('Readiness')).toEqual([]);
});
