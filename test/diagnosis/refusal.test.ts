import { expect, it } from 'vitest';

import { refusalAdvice } from '../../src/diagnosis/refusal.js';

it.each([
  [
    'pods "web-" is forbidden: exceeded quota: team, requested: requests.cpu=500m, used: requests.cpu=0, limited: requests.cpu=200m',
    { do: 'correct', fields: ['what its pods ask for', 'the ResourceQuota'] },
  ],
  [
    'pods "web-" is forbidden: failed quota: team: must specify limits.memory for: app',
    { do: 'correct', fields: ['what its pods ask for', 'the ResourceQuota'] },
  ],
  [
    'pods "web-" is forbidden: memory max limit to request ratio per Container is 2, but provided ratio is 4.000000',
    { do: 'correct', fields: ['resources', 'the LimitRange'] },
  ],
  [
    'pods "web-" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true',
    {
      ...{ do: 'correct' },
      fields: ['securityContext', "the namespace's label pod-security.kubernetes.io/enforce"],
    },
  ],
  [
    'pods "agent-x" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
    {
      ...{ do: 'correct' },
      fields: ['hostNetwork', "the namespace's label pod-security.kubernetes.io/enforce"],
    },
  ],
  [
    'pods "a" is forbidden: violates PodSecurity "restricted:latest": host namespaces (hostPID=true), hostPath volumes (volume "sysctls"), hostPort (container "app" uses hostPort 80), allowPrivilegeEscalation != false (container "app" must set securityContext.allowPrivilegeEscalation=false)',
    {
      ...{ do: 'correct' },
      fields: [
        'hostPID and volumes and ports[].hostPort and securityContext',
        "the namespace's label pod-security.kubernetes.io/enforce",
      ],
    },
  ],
  [
    'pods "a" is forbidden: violates PodSecurity "baseline:latest": probe or lifecycle host (container "app" uses probe or lifecycle host 1.2.3.4)',
    {
      ...{ do: 'correct' },
      fields: [
        'the host of its probes and hooks',
        "the namespace's label pod-security.kubernetes.io/enforce",
      ],
    },
  ],
  [
    'Internal error occurred: failed calling webhook "inject.mesh.example": failed to call webhook: Post "https://127.0.0.1:5997/inject?timeout=10s": dial tcp 127.0.0.1:5997: connect: connection refused',
    { do: 'correct', fields: ['what serves that webhook', 'its failurePolicy'] },
  ],
  [
    'pods "web-" is forbidden: error looking up service account shop/a: serviceaccount "a" not found',
    { do: 'addObject', object: 'ServiceAccount', name: 'a' },
  ],
  ['admission webhook "policy.example" denied the request: no label team', undefined],
])('a pod that is refused has advice: %s', (message, advice) => {
  expect(refusalAdvice(message)).toEqual(advice);
});
