import { expect, it } from 'vitest';

import { lint } from '../../../helpers/lint.js';

it.each([
  [1, 5],
  [5, 10],
  [20, 25],
])(
  'for a timeout of %i s, the proposed startup probe has a period of %i s',
  async (timeout, period) => {
    const probe = `{tcpSocket: {port: 80}, initialDelaySeconds: 60, periodSeconds: 30, timeoutSeconds: ${timeout}}`;
    const text = `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - {name: app, image: "a:1", livenessProbe: ${probe}}\n`;
    const [file] = await lint([{ file: 'pod.yaml', text }], { level: ({ severity }) => severity });
    const found = file?.advice.find(
      ({ rule }) => rule === 'initial-delay-instead-of-startup-probe',
    );
    expect(found?.fix?.diff).toContain(`periodSeconds: ${period},`);
  },
);
