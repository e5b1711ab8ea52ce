import { describe, expect, it } from 'vitest';

import { formatPod, isStaticPod, podKey, withConfigSource } from '../../src/kubelet/pod-name.js';
import { buildContainerID, parseContainerID } from '../../src/kubelet/pod-name.js';
import { buildPod } from '../helpers/builders.js';

describe('a pod', () => {
  it('is named with its namespace in the trace and with its UID in errors', () => {
    expect([podKey(buildPod()), formatPod(buildPod())]).toEqual([
      'default/web',
      'web_default(uid-1)',
    ]);
  });

  it.each([
    ['from a file is static', 'file', true],
    ['from the API is not static', 'api', false],
  ] as const)('%s', (_, source, expected) => {
    const pod = withConfigSource(buildPod({ metadata: { annotations: { a: 'b' } } }), source);
    expect(isStaticPod(pod)).toBe(expected);
    expect(pod.metadata.annotations).toEqual({ a: 'b', 'kubernetes.io/config.source': source });
  });

  it('without a config source is not static', () => {
    expect(isStaticPod(buildPod())).toBe(false);
  });
});

describe('a container ID', () => {
  it('starts with the name of the runtime', () => {
    expect(buildContainerID('docker', '4f1c')).toBe('docker://4f1c');
  });

  it.each([
    ['is parsed without the name of the runtime', 'docker://4f1c', '4f1c'],
    ['stays as it is without a runtime name', '4f1c', '4f1c'],
    ['is cut after the first :// only', 'a://b://c', 'b://c'],
    ['stays empty', '', ''],
  ])('%s', (_, written, id) => {
    expect(parseContainerID(written)).toBe(id);
  });
});
