import type { Rule } from '../rule.js';
import { networkPort, portsOf } from '../subject/handlers.js';
import { probesOf } from '../subject/members.js';

export const portNotDeclared: Rule = {
  id: 'port-not-declared',
  severity: 'info',
  summary: 'a probe asks a port that the container does not declare',
  reason:
    'Ports are declared for people and tools, so it works; and it is often a number that was changed in one place only.',
  sources: ['https://github.com/stackrox/kube-linter/blob/main/docs/generated/checks.md'],
  check: ({ members, pod }) =>
    probesOf(members).flatMap(({ probe, path, member }) => {
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
        message: `asks port ${number}; the container declares ${declared}`,
        hint: 'declare it, or correct the number',
      };
    }),
};
