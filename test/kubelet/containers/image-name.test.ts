import { expect, it } from 'vitest';

import { applyDefaultImageTag } from '../../../src/kubelet/containers/image-name.js';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

it.each<[string, string]>([
  ['app', 'app:latest'],
  ['app:1', 'app:1'],
  ['app:latest', 'app:latest'],
  ['team/app', 'team/app:latest'],
  ['localhost:5000/app', 'localhost:5000/app:latest'],
  ['localhost:5000/app:1', 'localhost:5000/app:1'],
  ['example.com/a/b_c.d', 'example.com/a/b_c.d:latest'],
  [`app@${DIGEST}`, `app@${DIGEST}`],
  [`app:1@${DIGEST}`, `app:1@${DIGEST}`],
])('%s is %s', (image, expected) => {
  expect(applyDefaultImageTag(image)).toEqual({ kind: 'image', image: expected });
});

it.each<[string, string]>([
  ['', 'invalid reference format'],
  ['a b', 'invalid reference format'],
  ['app:', 'invalid reference format'],
  ['-app', 'invalid reference format'],
  ['app@sha256:1', 'invalid reference format'],
  ['Nginx', 'invalid reference format: repository name (library/Nginx) must be lowercase'],
  ['team/App:1', 'invalid reference format: repository name (team/App) must be lowercase'],
  [
    'a'.repeat(64),
    `invalid repository name (${'a'.repeat(64)}), cannot specify 64-byte hexadecimal strings`,
  ],
])('%j is none: %s', (image, why) => {
  expect(applyDefaultImageTag(image)).toEqual({
    kind: 'error',
    message: `couldn't parse image name "${image}": ${why}`,
  });
});
