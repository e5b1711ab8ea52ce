import type { ContainerPort, IntOrString } from '../../../api/index.js';
import { set } from '../../fix/change.js';
import type { Rule } from '../../rule.js';
import { portsOf } from '../../subject/handlers.js';

export const httpsSchemeMismatch: Rule = {
  id: 'https-scheme-mismatch',
  severity: 'warning',
  summary: "a probe's scheme does not match its port's name",
  reason:
    'An HTTPS server answers an HTTP request with 400 or not at all, and HTTPS to an HTTP server ends in "server gave HTTP response to HTTPS client". Every attempt fails.',
  sources: [
    'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#http-probes',
  ],
  checkProbe: ({ probe, path, member }) => {
    const { port, scheme = 'HTTP' } = probe.httpGet ?? {};
    if (port === undefined || probe.exec !== undefined) return [];
    const wanted = schemeOf(port, portsOf(port, member.container));
    if (wanted === undefined || wanted === scheme) return [];
    return {
      path: `${path}.httpGet`,
      message: `uses ${scheme} on port ${port}, whose name says ${wanted}`,
      hint: `set scheme: ${wanted}`,
      changes: [set(`${path}.httpGet.scheme`, wanted)],
    };
  },
};

/** Returns the scheme that a port's name implies; of the numbers only 443 is certain enough. */
function schemeOf(
  port: IntOrString,
  declared: readonly ContainerPort[],
): 'HTTP' | 'HTTPS' | undefined {
  const names = [
    ...declared.flatMap(({ name }) => name ?? []),
    ...(typeof port === 'string' ? [port] : []),
  ];
  if (names.some((name) => /^https(?:-|$)|-https$/.test(name))) return 'HTTPS';
  if (names.some((name) => /^http(?:-|$)|-http$/.test(name))) return 'HTTP';
  return port === 443 ? 'HTTPS' : undefined;
}
