import { expect, it } from 'vitest';

import { lint } from '../../../helpers/lint.js';

function pod(image: string): string {
  return `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: app, image: '${image}', ports: [{ containerPort: 80 }] }] }\n`;
}

it.each([
  ['ghcr.io/acme/controller:latest', ['latest-image']],
  ['controller:latest', []],
])('latest-image for %s: %j', async (image, expected) => {
  const [linted] = await lint([{ file: 'pod.yaml', text: pod(image) }]);
  expect(linted?.advice.map(({ rule }) => rule)).toEqual(expected);
});
