import { expect, it } from 'vitest';

import { versionNote } from '../../../src/session/cluster/cluster-version.js';

it.each([
  ['v1.34.4', 'a node runs kubelet v1.34.4; kprobe decides as v1.34'],
  [
    'v1.34.4-gke.100',
    'a node runs kubelet v1.34.4-gke.100; kprobe decides as v1.34 with ExecProbeTimeout=false',
  ],
])('names the gates that the provider of %s has changed', (version, note) => {
  expect(versionNote({ of: 'kubelet', version })).toBe(note);
});
