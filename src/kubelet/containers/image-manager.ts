import { type Container, imageTag, type Pod, splitDockerDomain } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import { formatDuration } from '../../go/duration.js';
import { goQuote } from '../../go/quote.js';
import { fail, ok, type OrError } from '../../go/result.js';
import type { EventType } from '../../trace/event.js';
import type { EventRecorder } from '../event-recorder.js';
import type { ImageService, PulledImage } from '../ports.js';
import type { ReleaseBehavior } from '../release.js';
import { runtimeErrorMessage, type StartError, type StartErrorReason } from '../sync-result.js';
import { Backoff } from './backoff.js';

/** Milliseconds of the first back-off after a failed pull. */
const IMAGE_BACKOFF = 10_000;
/** Milliseconds of the longest back-off. */
const MAX_IMAGE_BACKOFF = 300_000;

type FailedImage = StartError<StartErrorReason> & { readonly kind: 'failed' };
export type EnsuredImage = { readonly kind: 'present'; readonly imageRef: string } | FailedImage;

/** Pulls images that are not present. Ports imageManager (pkg/kubelet/images/image_manager.go). */
export class ImageManager {
  readonly #backOff: Backoff;
  readonly #previousErrors = new Map<string, string>();
  /** Resolves when the latest pull has ended: one runs at a time. */
  #lastPull: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly clock: Clock,
    private readonly images: ImageService,
    private readonly recorder: EventRecorder,
    private readonly behavior: ReleaseBehavior,
  ) {
    this.#backOff = new Backoff(clock, IMAGE_BACKOFF, MAX_IMAGE_BACKOFF);
  }

  async ensureImageExists(pod: Pod, container: Container): Promise<EnsuredImage> {
    const record = (type: EventType, reason: string, message: string): void =>
      this.recorder.containerEvent(pod, container, type, reason, message);
    const failed = (event: string, reason: StartErrorReason, message: string): FailedImage => {
      record('Warning', event, message);
      return { kind: 'failed', reason, message };
    };
    const requested = goQuote(container.image);
    const defaulted = applyDefaultImageTag(container.image);
    if (!defaulted.ok) {
      const message = `Failed to apply default image tag ${requested}: ${defaulted.error}`;
      return failed('InspectFailed', 'InvalidImageName', message);
    }
    const image = defaulted.value;
    if (container.imagePullPolicy !== 'Always') {
      let imageRef: string | undefined;
      try {
        imageRef = await this.images.getImageRef(image);
      } catch (error) {
        const message = `Failed to inspect image "": ${runtimeErrorMessage(error)}`;
        return failed('InspectFailed', 'ImageInspectError', message);
      }
      if (imageRef !== undefined) {
        const access = this.behavior.verifiesImageAccess ? ' and can be accessed by the pod' : '';
        const message = `Container image ${requested} already present on machine${access}`;
        record('Normal', 'Pulled', message);
        return { kind: 'present', imageRef };
      }
      if (container.imagePullPolicy === 'Never') {
        const message = `Container image ${requested} is not present with pull policy of Never`;
        return failed('ErrImageNeverPull', 'ErrImageNeverPull', message);
      }
    }
    return this.#pullImage(pod.metadata.uid, container.image, image, record);
  }

  async #pullImage(
    podUID: string,
    specImage: string,
    image: string,
    record: (type: EventType, reason: string, message: string) => void,
  ): Promise<EnsuredImage> {
    const key = `${podUID}_${specImage}`;
    const requested = goQuote(specImage);
    if (this.#backOff.isInBackOffSinceUpdate(key, this.clock.now())) {
      const message = `Back-off pulling image ${requested}`;
      record('Normal', 'BackOff', message);
      const previous = this.#previousErrors.get(key);
      const withError = previous === undefined ? message : `${message}: ${previous}`;
      return { kind: 'failed', reason: 'ImagePullBackOff', message: withError };
    }
    this.#previousErrors.delete(key);
    record('Normal', 'Pulling', `Pulling image ${requested}`);
    try {
      const { ref, size, pullTime, totalTime } = await this.#pullNext(image);
      const times = `${formatDuration(pullTime)} (${formatDuration(totalTime)} including waiting)`;
      const message = `Successfully pulled image ${requested} in ${times}. Image size: ${size} bytes.`;
      record('Normal', 'Pulled', message);
      this.#backOff.gc();
      return { kind: 'present', imageRef: ref };
    } catch (thrown) {
      const error = runtimeErrorMessage(thrown);
      record('Warning', 'Failed', `Failed to pull image ${requested}: ${error}`);
      this.#backOff.next(key, this.clock.now());
      const { reason, message } = evalCRIPullErr(specImage, error);
      this.#previousErrors.set(key, `${reason}: ${message}`);
      return { kind: 'failed', reason, message };
    }
  }

  /** Pulls an image after the pulls before it; the times are whole milliseconds. */
  async #pullNext(image: string): Promise<PulledImage & { pullTime: number; totalTime: number }> {
    const { clock } = this;
    const requestedAt = clock.now();
    let start = requestedAt;
    const pull = this.#lastPull.then(() => {
      start = clock.now();
      return this.images.pullImage(image);
    });
    this.#lastPull = pull.catch(() => undefined);
    const pulled = await pull;
    const now = clock.now();
    return {
      ...pulled,
      pullTime: Math.trunc(now - start),
      totalTime: Math.trunc(now - requestedAt),
    };
  }
}

/** Reasons that begin the runtime's pull errors, and their explanations. */
const PULL_ERROR_REASONS = [
  ['RegistryUnavailable', 'the registry is unavailable'],
  ['SignatureValidationFailed', 'the signature validation failed'],
] as const;

/** Ports evalCRIPullErr (pkg/kubelet/images/image_manager.go). */
function evalCRIPullErr(image: string, error: string): StartError<StartErrorReason> {
  for (const [reason, explanation] of PULL_ERROR_REASONS) {
    if (!error.startsWith(reason)) continue;
    const message = `image pull failed for ${image} because ${explanation}${error.slice(reason.length)}`;
    return { reason, message };
  }
  return { reason: 'ErrImagePull', message: error };
}

/**
 * Returns the image with the tag `latest` where it names neither tag nor digest. Ports applyDefaultImageTag
 * (pkg/kubelet/images/image_manager.go).
 */
export function applyDefaultImageTag(image: string): OrError<string> {
  const hasDigest = image.includes('@');
  // An image with a digest is valid if it is valid with a tag as well, and imageTag() checks it then.
  const tag = imageTag(hasDigest ? image.replace(/(:[^/:@]+)?@/, ':latest@') : image);
  if (tag === undefined) {
    return fail(`couldn't parse image name ${goQuote(image)}: ${parseError(image)}`);
  }
  const isTagged = hasDigest || image.endsWith(`:${tag}`);
  return ok(isTagged ? image : `${image}:${tag}`);
}

/** Ports the errors of ParseNormalizedNamed (github.com/distribution/reference normalize.go). */
function parseError(image: string): string {
  if (/^[a-f0-9]{64}$/.test(image)) {
    return `invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`;
  }
  const remote = splitDockerDomain(image).remote.split(':', 1)[0] ?? '';
  if (remote.toLowerCase() !== remote) {
    return `invalid reference format: repository name (${remote}) must be lowercase`;
  }
  return 'invalid reference format';
}
