import { PROBE_CONCEPTS, type Rule } from '../../rule.js';
import { networkPort, portsOf } from '../../subject/handlers.js';

export const portOfAnotherContainer: Rule = {
  id: 'port-of-another-container',
  severity: 'warning',
  summary: 'a probe uses a port of another container in the pod',
  reason:
    "Containers of a pod share an address, so the other container answers. This container is restarted for the other's failures, and its own go unnoticed.",
  sources: [PROBE_CONCEPTS, 'https://kubernetes.io/docs/concepts/workloads/pods/#pod-networking'],
  checkProbe: ({ probe, path, member }, { members }) => {
    const asked = networkPort(probe);
    if (typeof asked?.port !== 'number') return [];
    const { port, field } = asked;
    if (portsOf(port, member.container).length > 0) return [];
    const other = members.find(({ container }) => portsOf(port, container).length > 0);
    if (other === undefined) return [];
    return {
      path: `${path}.${field}.port`,
      message: `port ${port} is declared by container "${other.container.name}": its answers decide the state of "${member.container.name}"`,
      hint: "probe the container's own port",
    };
  },
};
