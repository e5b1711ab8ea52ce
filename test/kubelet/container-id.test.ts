import { describe, expect, it } from 'vitest';

import { buildContainerID, parseContainerID } from '../../src/kubelet/container-id.js';

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
