import type { Probe } from '../../../api/index.js';
import { set } from '../../fix/change.js';
import { CONFIGURE_PROBES, type Rule } from '../../rule.js';
import { programOf, slowCommand } from '../../subject/commands.js';

export const oneSecondTimeout: Rule = {
  id: 'one-second-timeout',
  severity: 'warning',
  summary: 'one second is too short for this probe',
  reason:
    'On a busy node, starting a command in a container takes much of the default second, and a garbage collection pause takes all of it. Before 1.20 the kubelet did not enforce the timeout of exec probes, so many such timeouts were never tested.',
  sources: [
    CONFIGURE_PROBES,
    'https://github.com/cloudability/metrics-agent/issues/191',
    'https://github.com/kubernetes/kubernetes/issues/101035',
  ],
  checkProbe: ({ probe, path }) => {
    if (probe.timeoutSeconds !== 1 || probe.periodSeconds === 1) return [];
    const slow = slowPart(probe);
    if (slow === undefined) return [];
    const timeout = Math.min(5, probe.periodSeconds - 1);
    return {
      path,
      message: `allows one second for ${slow}`,
      hint: `timeoutSeconds: ${timeout} tolerates a busy node`,
      changes: [set(`${path}.timeoutSeconds`, timeout)],
    };
  },
};

function slowPart({ exec, httpGet }: Probe): string | undefined {
  const slow = slowCommand(exec?.command ?? []);
  if (slow !== undefined) return `a command started in the container (${programOf(slow)})`;
  const path = httpGet?.path ?? '';
  return exec === undefined && /\/actuator\/health|deep|full/i.test(path)
    ? `${path}, which checks more than the server`
    : undefined;
}
