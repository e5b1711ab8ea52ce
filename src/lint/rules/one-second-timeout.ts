import type { Probe } from '../../api/index.js';
import { set } from '../fix/change.js';
import type { Rule } from '../rule.js';
import { isLight, programOf, simpleCommands } from '../subject/commands.js';
import { probesOf } from '../subject/members.js';

export const oneSecondTimeout: Rule = {
  id: 'one-second-timeout',
  severity: 'warning',
  summary: 'a second is short for what the probe does',
  reason:
    'To start a command in a container takes a good part of the default second on a busy node, and an endpoint of a virtual machine that collects garbage takes it all. Until 1.20 the kubelet did not end exec probes at their timeout, so many of these were never tried.',
  sources: [
    'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/',
    'https://github.com/cloudability/metrics-agent/issues/191',
    'https://github.com/kubernetes/kubernetes/issues/101035',
  ],
  check: ({ members }) =>
    probesOf(members).flatMap(({ probe, path }) => {
      if (probe.timeoutSeconds !== 1 || probe.periodSeconds === 1) return [];
      const slow = slowPart(probe);
      if (slow === undefined) return [];
      const timeout = Math.min(5, probe.periodSeconds - 1);
      return {
        path,
        message: `has a second for ${slow}`,
        hint: `with timeoutSeconds: ${timeout} a busy node does not fail it`,
        changes: [set(`${path}.timeoutSeconds`, timeout)],
      };
    }),
};

function slowPart({ exec, httpGet }: Probe): string | undefined {
  if (exec?.command !== undefined && !isLight(exec.command)) {
    const [first = exec.command] = simpleCommands(exec.command);
    return `a command that is started in the container (${programOf(first)})`;
  }
  const path = httpGet?.path ?? '';
  return exec === undefined && /\/actuator\/health|deep|full/i.test(path)
    ? `${path}, which checks more than the server`
    : undefined;
}
