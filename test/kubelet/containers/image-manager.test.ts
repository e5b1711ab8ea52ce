import { describe, expect, it } from 'vitest';

import type { PullPolicy } from '../../../src/api/index.js';
import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { type EnsuredImage, ImageManager } from '../../../src/kubelet/containers/image-manager.js';
import { applyDefaultImageTag } from '../../../src/kubelet/containers/image-manager.js';
import { RuntimeError } from '../../../src/kubelet/ports.js';
import { DEFAULT_BEHAVIOR } from '../../../src/kubelet/release.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';
import { fakeRecorder } from '../../helpers/fake-recorder.js';
import { FakeImages } from '../../helpers/fake-runtime.js';

function createRig() {
  const clock = new VirtualClock(1, 0);
  const images = new FakeImages(clock);
  const { recorder, recorded } = fakeRecorder();
  const manager = new ImageManager(clock, images, recorder, DEFAULT_BEHAVIOR);
  const ensure = (
    imagePullPolicy: PullPolicy,
    image = 'app:1',
    uid = 'uid-1',
  ): Promise<EnsuredImage> => {
    const container = buildContainer({ image, imagePullPolicy });
    return manager.ensureImageExists(
      buildPod({ metadata: { uid }, spec: { containers: [container] } }),
      container,
    );
  };
  return { clock, images, recorded, ensure };
}

const PRESENT =
  'app Normal Pulled: Container image "app:1" already present on machine and can be accessed by the pod';
const PULLING = 'app Normal Pulling: Pulling image "app:1"';
const PULLED =
  'app Normal Pulled: Successfully pulled image "app:1" in 0s (0s including waiting). Image size: 1234 bytes.';

describe('ensureImageExists', () => {
  it.each<[PullPolicy, boolean, EnsuredImage, string[]]>([
    ['IfNotPresent', true, { kind: 'present', imageRef: 'app:1@here' }, [PRESENT]],
    ['IfNotPresent', false, { kind: 'present', imageRef: 'app:1@ref' }, [PULLING, PULLED]],
    ['Always', true, { kind: 'present', imageRef: 'app:1@ref' }, [PULLING, PULLED]],
    ['Never', true, { kind: 'present', imageRef: 'app:1@here' }, [PRESENT]],
    [
      'Never',
      false,
      {
        kind: 'failed',
        reason: 'ErrImageNeverPull',
        message: 'Container image "app:1" is not present with pull policy of Never',
      },
      [
        'app Warning ErrImageNeverPull: Container image "app:1" is not present with pull policy of Never',
      ],
    ],
  ])(
    'follows the policy %s when the image is present: %s',
    async (policy, present, expected, events) => {
      const { images, recorded, ensure } = createRig();
      if (present) images.present.set('app:1', 'app:1@here');
      expect(await ensure(policy)).toEqual(expected);
      expect(recorded).toEqual(events);
    },
  );

  it('inspects and pulls an untagged image as latest, but reports the name as written', async () => {
    const { images, recorded, ensure } = createRig();
    await ensure('IfNotPresent', 'app');
    expect(images.pulled).toEqual(['0 app:latest']);
    expect(recorded[0]).toBe('app Normal Pulling: Pulling image "app"');
  });

  it('returns InvalidImageName for an invalid image name', async () => {
    const { images, recorded, ensure } = createRig();
    const message =
      'Failed to apply default image tag "App": couldn\'t parse image name "App": invalid reference format: repository name (library/App) must be lowercase';
    expect(await ensure('Always', 'App')).toEqual({
      kind: 'failed',
      reason: 'InvalidImageName',
      message,
    });
    expect([recorded, images.pulled]).toEqual([[`app Warning InspectFailed: ${message}`], []]);
  });

  it('returns ImageInspectError when the image cannot be inspected', async () => {
    const { images, recorded, ensure } = createRig();
    images.inspectFailure = new RuntimeError('daemon gone');
    const message = 'Failed to inspect image "": daemon gone';
    expect(await ensure('IfNotPresent')).toEqual({
      kind: 'failed',
      reason: 'ImageInspectError',
      message,
    });
    expect(recorded).toEqual([`app Warning InspectFailed: ${message}`]);
  });
});

describe('an image pull', () => {
  it('reports its duration with and without waiting, in whole milliseconds', async () => {
    const { clock, images, recorded, ensure } = createRig();
    images.takes = 1_234.9;
    void ensure('Always');
    await clock.advance(500);
    void ensure('Always', 'other:1');
    await clock.advance(10_000);
    expect(recorded.filter((text) => text.includes('Successfully'))).toEqual([
      'app Normal Pulled: Successfully pulled image "app:1" in 1.234s (1.234s including waiting). Image size: 1234 bytes.',
      'app Normal Pulled: Successfully pulled image "other:1" in 1.234s (1.969s including waiting). Image size: 1234 bytes.',
    ]);
    expect(images.pulled).toEqual(['0 app:1', '1234.9 other:1']);
  });

  it.each<[string, EnsuredImage]>([
    ['not found', { kind: 'failed', reason: 'ErrImagePull', message: 'not found' }],
    [
      'RegistryUnavailable: it is down',
      {
        kind: 'failed',
        reason: 'RegistryUnavailable',
        message: 'image pull failed for app:1 because the registry is unavailable: it is down',
      },
    ],
    [
      'SignatureValidationFailed: it is forged',
      {
        kind: 'failed',
        reason: 'SignatureValidationFailed',
        message:
          'image pull failed for app:1 because the signature validation failed: it is forged',
      },
    ],
  ])('fails with the reason of the error %j', async (error, expected) => {
    const { images, recorded, ensure } = createRig();
    images.failure = new RuntimeError(error);
    expect(await ensure('Always')).toEqual(expected);
    expect(recorded.at(-1)).toBe(`app Warning Failed: Failed to pull image "app:1": ${error}`);
  });

  it('is not retried before its back-off ends, and the back-off doubles', async () => {
    const { clock, images, recorded, ensure } = createRig();
    images.failure = new RuntimeError('not found');
    await ensure('Always');
    const backedOff: EnsuredImage = {
      kind: 'failed',
      reason: 'ImagePullBackOff',
      message: 'Back-off pulling image "app:1": ErrImagePull: not found',
    };
    await clock.advance(9_999);
    expect(await ensure('Always')).toEqual(backedOff);
    expect(recorded.at(-1)).toBe('app Normal BackOff: Back-off pulling image "app:1"');
    await clock.advance(1);
    expect(await ensure('Always')).toMatchObject({ reason: 'ErrImagePull' });
    await clock.advance(19_999);
    expect(await ensure('Always')).toEqual(backedOff);
    images.failure = undefined;
    await clock.advance(1);
    expect(await ensure('Always')).toMatchObject({ kind: 'present' });
    expect(images.pulled.map((text) => Number.parseInt(text))).toEqual([0, 10_000, 30_000]);
  });

  it('does not delay other pods or other images when it failed', async () => {
    const { images, ensure } = createRig();
    images.failure = new RuntimeError('not found');
    await ensure('Always');
    expect(await ensure('Always', 'app:1', 'uid-2')).toMatchObject({ reason: 'ErrImagePull' });
    expect(await ensure('Always', 'app:2')).toMatchObject({ reason: 'ErrImagePull' });
    expect(await ensure('Always')).toMatchObject({ reason: 'ImagePullBackOff' });
  });
});

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
])('applyDefaultImageTag completes %s to %s', (image, expected) => {
  expect(applyDefaultImageTag(image)).toEqual({ ok: true, value: expected });
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
])('applyDefaultImageTag rejects %j: %s', (image, cause) => {
  expect(applyDefaultImageTag(image)).toEqual({
    ok: false,
    error: `couldn't parse image name "${image}": ${cause}`,
  });
});
