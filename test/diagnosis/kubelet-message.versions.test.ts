import { expect, it } from 'vitest';

import {
  parseKubeletMessage,
  parseProbeMessage,
  reasonIn,
} from '../../src/diagnosis/kubelet-message.js';

/** Texts of events that differ between the kubelets of v1.32.13, v1.33.13, v1.34.4, v1.35.4, v1.36.3 and v1.37.2. */
const VERSIONS: Readonly<Record<string, readonly string[]>> = {
  created: ['Created container: app', 'Container created'],
  started: ['Started container app', 'Container started'],
  present: [
    'Container image "app:1" already present on machine',
    'Container image "app:1" already present on machine and can be accessed by the pod',
  ],
};

it.each(Object.entries(VERSIONS))('a step is read in the words of each version: %s', (_, texts) => {
  expect(texts.map((text) => parseKubeletMessage(text)?.kind)).toEqual(texts.map(() => 'step'));
});

it.each([
  ['1.32', 'Readiness probe errored: no runtime'],
  ['1.33 to 1.37', 'Readiness probe errored and resulted in unknown state: no runtime'],
])('an attempt that errored is read in the words of %s', (_, text) => {
  const output = 'no runtime';
  expect(parseProbeMessage(text)).toEqual({ probe: 'readiness', how: 'errored', output });
});

it.each([
  ['1.32 to 1.37', 'timeout: failed to connect service "10.1.0.5:9000" within 1s', 'notConnected'],
  ['1.32 to 1.37', 'error: failed to connect service at "10.1.0.5:9000"', 'notConnected'],
  ['1.32 to 1.38', 'timeout: health rpc did not complete within 1s', 'timeout'],
  ['1.32 to 1.37', 'command timed out: "sleep 9" timed out after 1s', 'timeout'],
  [
    '1.32 to 1.38',
    'error: health rpc probe failed: rpc error: code = Unavailable desc = the connection is draining',
    'closed',
  ],
] as const)('the failure of an attempt is read in the words of %s: %s', (_, text, reason) => {
  expect(reasonIn(text)).toBe(reason);
});

it.each([
  ['PostStartHook failed', 'postStart'],
  ['PreStopHook failed', 'preStop'],
])('a hook is read in the words of all versions: %s', (text, hook) => {
  expect(parseKubeletMessage(text)).toMatchObject({ kind: 'hookFailed', hook });
});

/** Those of 1.32 to 1.37 are the same. */
it.each([
  ['Container image "app:1" is not present with pull policy of Never', 'imageNeverPull'],
  ['Back-off pulling image "app:1"', 'imagePull'],
  ['Back-off pulling image "app:1": ErrImagePull: not found', 'imagePull'],
  ['Failed to pull image "app:1": not found', 'imagePull'],
  ['Container app failed liveness probe, will be restarted', 'killed'],
  ['Init container proxy failed liveness probe', 'killed'],
  ['Stopping container app', 'stopping'],
  ['Back-off restarting failed container app in pod web_default(u)', 'backOff'],
  ['Error: secret "db" not found', 'startFailed'],
  ['Failed to create pod sandbox: no network', 'sandbox'],
  ['Unable to attach or mount volumes: unmounted volumes=[v]', 'mount'],
  ['error killing pod: no runtime', 'killFailed'],
])('%s is read as %s', (text, kind) => {
  expect(parseKubeletMessage(text)?.kind).toBe(kind);
});
