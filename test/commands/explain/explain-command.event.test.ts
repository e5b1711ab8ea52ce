import { expect, it } from 'vitest';

import { inProcess } from '../../helpers/in-process.js';
import { ROOT } from '../../helpers/kprobe.js';

const EVENT = 'Readiness probe failed: HTTP probe failed with statuscode: 404';

it('explains an event without a manifest, as docs/explain.md shows it', async () => {
  const { code, stdout } = await inProcess(['explain', '--event', EVENT]);
  expect([code, stdout]).toEqual([
    0,
    `Unhealthy: An attempt of the readiness probe failed.
  cause  the server answers, but has nothing at the probe's path
  help   Correct readinessProbe.httpGet.path
  next   After failureThreshold (3 by default) failures in a row, the container is not ready, and Services send the pod no traffic; it is not restarted.
`,
  ]);
});

it('explains an event with the probe of a manifest, as JSON', async () => {
  const args = ['explain', '--event', EVENT, 'examples/explain/pod.yaml', '-o', 'json'];
  const { code, stdout } = await inProcess(args, { cwd: ROOT });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    reason: 'Unhealthy',
    change: 'Correct readinessProbe.httpGet.path',
  });
});

it('exits with 2 for a text that is no event, and for a picture', async () => {
  expect(await inProcess(['explain', '--event', 'hello'])).toMatchObject({ code: 2, stdout: '' });
  expect(await inProcess(['explain', '--event', EVENT, '-o', 'svg'])).toMatchObject({ code: 2 });
});

it('escapes what a terminal would obey, and masks credentials', async () => {
  const event = 'Liveness probe failed: Get "http://u:s3cret@h/": \u001b[31mconnection refused';
  const { stdout } = await inProcess(['explain', '--event', event]);
  expect(stdout).not.toMatch(/\u001b|s3cret/);
});
