import { expect, it } from 'vitest';

import { lint } from '../../../helpers/lint.js';

it.each([
  ['stall-restarts', 'periodSeconds: 3', 0, 2_147_483_647],
  ['slow-recovery', 'periodSeconds: 120, failureThreshold: 5', 5, 120_000_005],
])(
  '%s finds the same after a delay of years as after a short one',
  async (rule, settings, short, long) => {
    const messages = [short, long].map(async (delay) => {
      const probe = `{tcpSocket: {port: 80}, ${settings}, initialDelaySeconds: ${delay}}`;
      const text = `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - {name: app, image: "a:1", livenessProbe: ${probe}}\n`;
      const files = [{ file: 'pod.yaml', text }];
      const [file] = await lint(files, { level: ({ severity }) => severity });
      return file?.advice.find((found) => found.rule === rule)?.message;
    });
    const [first, second] = await Promise.all(messages);
    expect(first).toMatch(/^simulated: /);
    expect(second).toBe(first);
  },
);
