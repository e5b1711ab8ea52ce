import { expect, it } from 'vitest';

import { killUnknown } from '../../../src/kubelet/containers/container-killer.js';
import { buildContainer, buildRuntimeContainer } from '../../helpers/builders.js';

it.each<[string | undefined, string]>([
  [undefined, 'Container is in "unknown" state, try killing it before restart'],
  ['Init container', 'Init container is in "unknown" state, try killing it before restart'],
])(
  'killUnknown kills a container of unknown state, named as %s in the message',
  (subject, message) => {
    const container = buildContainer();
    const status = buildRuntimeContainer({ id: 'app-3', state: 'unknown' });
    expect(killUnknown(container, status, subject)).toEqual({
      id: 'app-3',
      container,
      message,
      reason: 'Unknown',
    });
  },
);
