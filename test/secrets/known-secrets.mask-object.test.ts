import { expect, it } from 'vitest';

import { KnownSecrets, maskObject } from '../../src/secrets/known-secrets.js';

it('masks values of variables, of credentials’ headers, and in commands, and nothing else', () => {
  const env = [
    { name: 'A', value: 'plain-1' },
    { name: 'API_TOKEN', value: 'plain-2' },
    { name: 'B', value: '$(A)' },
    { name: 'C', value: '' },
    { name: 'D', valueFrom: { secretKeyRef: { name: 'db', key: 'a' } } },
  ];
  const httpHeaders = [
    { name: 'Cookie', value: 'a=b' },
    { name: 'Host', value: 'web' },
    { name: 'Authorization', value: 'Bearer $(API_TOKEN)' },
  ];
  const pod = {
    metadata: { name: 'web', creationTimestamp: 0 },
    spec: {
      containers: [{ image: 'web:1', env, args: ['plain-1', 'plain-2', '--token=t'], httpHeaders }],
    },
  };
  const masked = maskObject(pod, new KnownSecrets());
  expect(masked).toEqual({
    ...pod,
    spec: {
      containers: [
        {
          image: 'web:1',
          env: [env[0], { name: 'API_TOKEN', value: '***' }, ...env.slice(2)],
          args: ['plain-1', 'plain-2', '--token=***'],
          httpHeaders: [{ name: 'Cookie', value: '***' }, ...httpHeaders.slice(1)],
        },
      ],
    },
  });
  expect(maskObject(masked, new KnownSecrets())).toEqual(masked);
});

it('masks no name of a Secret in an annotation, and no checksum', () => {
  const annotations = {
    'checksum/secret': '1f8ac10f23c5b5bc1167bda84b833e5c',
    'nginx.ingress.kubernetes.io/auth-secret': 'basic-auth',
    'example.com/token': 'hunter2',
  };
  expect(maskObject({ annotations }, new KnownSecrets())).toEqual({
    annotations: { ...annotations, 'example.com/token': '***' },
  });
});
