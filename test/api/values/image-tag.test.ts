import { expect, test } from 'vitest';

import { imageTag } from '../../../src/api/values/image-tag.js';

/** The results of ParseImageName (pkg/util/parsers/parsers.go). */
test.each([
  ['nginx', 'latest'],
  ['nginx:1', '1'],
  ['host:5000/a', 'latest'],
  ['host:5000/a:1', '1'],
  ['A', undefined],
  ['localhost/a', 'latest'],
  ['index.docker.io/library/a', 'latest'],
  ['a@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', undefined],
  ['a:1@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '1'],
  ['a@sha256:abc', undefined],
  ['ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff', undefined],
  ['a:', undefined],
  ['a b', undefined],
  ['', undefined],
  ['a___b', undefined],
  ['a--b', 'latest'],
  ['-a', undefined],
  ['[::1]:80/a', 'latest'],
  ['a.b:80', '80'],
  ['user/Repo:1', undefined],
  ['user/repo:Tag', 'Tag'],
])('imageTag(%s) is %s', (image, tag) => {
  expect(imageTag(image)).toBe(tag);
});
