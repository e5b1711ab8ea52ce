import { describe, expect, it } from 'vitest';

import { formatPod, isStaticPod, podKey, withConfigSource } from '../../src/kubelet/pod-name.js';
import { buildContainerID, parseContainerID } from '../../src/kubelet/pod-name.js';
import { buildPod } from '../helpers/builders.js';

describe('a pod', () => {
  it('is named with its namespace in the trace, and with its uid in errors', () => {
    expect([podKey(buildPod()), formatPod(buildPod())]).toEqual([
      'default/web',
      'web_default(uid-1)',
    ]);
  });

  it.each([
    ['from a file is static', 'file', true],
    ['from the API is not', 'api', false],
  ] as const)('%s', (_, source, expected) => {
    const pod = withConfigSource(buildPod({ metadata: { annotations: { a: 'b' } } }), source);
    expect(isStaticPod(pod)).toBe(expected);
    expect(pod.metadata.annotations).toEqual({ a: 'b', 'kubernetes.io/config.source': source });
  });

  it('without a source is not static', () => {
    expect(isStaticPod(buildPod())).toBe(false);
  });
});

describe('a container id', () => {
  it('names the runtime', () => {
    expect(buildContainerID('docker', '4f1c')).toBe('docker://4f1c');
  });

  it.each([
    ['without its runtime', 'docker://4f1c', '4f1c'],
    ['that has none stays', '4f1c', '4f1c'],
    ['up to the first scheme only', 'a://b://c', 'b://c'],
    ['that is empty stays', '', ''],
  ])('%s', (_, written, id) => {
    expect(parseContainerID(written)).toBe(id);
  });
});
