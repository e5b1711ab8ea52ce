import type { Container, Pod } from '../api/index.js';
import { isRestartableInitContainer } from '../kubelet/restart-policy.js';

/** Whether a container that exits is started again; `byRule` where only its own restart rules can say so. */
export type RunsAgain = 'always' | 'onFailure' | 'byRule' | 'never';

/** By its own policy, or the pod's; an init container has done its part with exit code 0. */
export function runsAgain({ spec }: Pod, container: Container): RunsAgain {
  const policy = container.restartPolicy ?? spec.restartPolicy;
  if (policy === 'Never') {
    return (container.restartPolicyRules ?? []).length > 0 ? 'byRule' : 'never';
  }
  const isInit =
    !isRestartableInitContainer(container) && spec.initContainers?.includes(container) === true;
  return policy === 'OnFailure' || isInit ? 'onFailure' : 'always';
}

/** What becomes of a container that has exited. */
export function againText(again: RunsAgain): string {
  const how = 'at once the first time, then after a back-off.';
  switch (again) {
    case 'always':
      return `It is started again ${how}`;
    case 'onFailure':
      return `Unless its exit code is 0, it is started again ${how}`;
    case 'byRule':
      return 'It is started again only where one of its restartPolicyRules matches its exit code.';
    case 'never':
      return 'It is not started again.';
  }
}

/** The policy that says so: the container's own, or the pod's. */
export function policyField(container: Container): string {
  return container.restartPolicy === undefined ? 'spec.restartPolicy' : 'restartPolicy';
}
