import type { Rule } from '../../rule.js';
import { networkPort, portsOf } from '../../subject/handlers.js';

export const portNotDeclared: Rule = {
  id: 'port-not-declared',
  severity: 'info',
  optIn: true,
  summary: 'a probe uses a port that the container does not declare',
  reason:
    'Declared ports only inform people and tools, so the probe may work: published workloads often leave the port of their health checks undeclared. Sometimes, though, the number was changed in one place and not in the other.',
  sources: ['https://github.com/stackrox/kube-linter/blob/main/docs/generated/checks.md'],
  checkProbe: ({ probe, path, member }, { pod }) => {
    const asked = networkPort(probe);
    const { ports = [] } = member.container;
    if (typeof asked?.port !== 'number' || ports.length === 0) return [];
    const number = asked.port;
    if (portsOf(number, member.container).length > 0) return [];
    // A neighbour's port is another rule's.
    if (pod.spec.containers.some((each) => portsOf(number, each).length > 0)) return [];
    const declared = ports.map(({ containerPort }) => containerPort).join(', ');
    return {
      path: `${path}.${asked.field}.port`,
      message: `uses port ${number}; the container declares ${declared}`,
      hint: 'declare the port, or correct the number',
    };
  },
};
