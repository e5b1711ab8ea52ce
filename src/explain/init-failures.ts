import type { Container, Pod } from '../api/index.js';
import type { Moment } from './moment.js';
import { RELIST } from './probe-times.js';
import { againText, policyField, runsAgain } from './runs-again.js';

/** What becomes of an init container that fails: what comes after it waits. */
export function initFailures(pod: Pod, container: Container): Moment[] {
  const again = runsAgain(pod, container);
  const end = again === 'never' ? 'It is not started again, and the pod fails.' : againText(again);
  return [
    {
      topic: 'crash: noticed',
      span: { from: 0, to: RELIST },
      since: 'it exits',
      why: `The kubelet looks at what runs every ${RELIST} s. ${end}`,
      fields: [policyField(container)],
    },
  ];
}
