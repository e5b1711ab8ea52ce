import { expect, it } from 'vitest';

import { inProcess } from '../../helpers/in-process.js';

const PROBE = 'httpGet: {port: 80}';

function pod(settings: string): string {
  const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'];
  const fields = probes.map((name) => `    ${name}: {${settings}, ${PROBE}}`).join('\n');
  return `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n  - name: app\n    image: a\n${fields}\n`;
}

it.each([
  'timeoutSeconds: -5',
  'initialDelaySeconds: -30, failureThreshold: -1',
  'successThreshold: -30',
  'timeoutSeconds: -2147483648',
  'timeoutSeconds: 2147483647, periodSeconds: 2147483647, failureThreshold: 2147483647',
])('settings that no API server accepts are drawn within the chart: %s', async (settings) => {
  const input = pod(settings);
  for (const flags of [[], ['--long'], ['-o', 'svg'], ['-o', 'json']]) {
    const args = ['explain', '-', '--no-validate', ...flags];
    const { code, stdout, stderr } = await inProcess(args, { input });
    expect([code, stderr.split('\n')[0]]).toEqual([0, expect.not.stringContaining('unknown')]);
    expect(stdout).not.toMatch(/NaN|Infinity|undefined/);
  }
});

it.each([['text'], ['svg'], ['json']])(
  'a pod without containers is ready at its begin: explain -o %s',
  async (output) => {
    const input =
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  initContainers: [{name: b, image: b, restartPolicy: Always}]\n';
    const args = ['explain', '-', '--no-validate', '-o', output];
    const { code, stdout } = await inProcess(args, { input });
    expect([code, stdout]).toEqual([0, expect.not.stringMatching(/NaN|Infinity/)]);
  },
);

it('a pod without containers is simulated when it is not validated', async () => {
  const input = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {}\n';
  const { code, stdout } = await inProcess(['simulate', '-', '--no-validate'], { input });
  expect([code, stdout]).toEqual([0, expect.stringContaining('exit code 0')]);
});
