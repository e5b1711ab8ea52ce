import { type Container, imageTag, type Pod, splitDockerDomain } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import { formatDuration } from '../../go/duration.js';
import { goQuote } from '../../go/quote.js';
import { fail, ok, type Result } from '../../go/result.js';
import type { EventRecorder, EventType } from '../event.js';
import type { ImageService, PulledImage } from '../ports.js';
import { runtimeErrorMessage, type StartError, type StartErrorReason } from '../sync-result.js';
import { Backoff } from './backoff.js';

/** Milliseconds: the first back-off of a pull, and the longest. */
const IMAGE_BACKOFF = 10_000;
const MAX_IMAGE_BACKOFF = 300_000;

type FailedImage = StartError & { readonly kind: 'failed' };
export type EnsuredImage = { readonly kind: 'present'; readonly imageRef: string } | FailedImage;

/** Pulls images that are not present. Ports imageManager (pkg/kubelet/images/image_manager.go). */
export class ImageManager {
  readonly #backOff: Backoff;
  readonly #previousErrors = new Map<string, string>();
  /** One pull at a time. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly clock: Clock,
    private readonly images: ImageService,
    private readonly recorder: EventRecorder,
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
        const present = `Container image ${requested} already present on machine and can be accessed by the pod`;
        record('Normal', 'Pulled', present);
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
    named: string,
    image: string,
    record: (type: EventType, reason: string, message: string) => void,
  ): Promise<EnsuredImage> {
    const key = `${podUID}_${named}`;
    const requested = goQuote(named);
    if (this.#backOff.isInBackOffSinceUpdate(key, this.clock.now())) {
      const message = `Back-off pulling image ${requested}`;
      record('Normal', 'BackOff', message);
      const previous = this.#previousErrors.get(key);
      const full = previous === undefined ? message : `${message}: ${previous}`;
      return { kind: 'failed', reason: 'ImagePullBackOff', message: full };
    }
    this.#previousErrors.delete(key);
    record('Normal', 'Pulling', `Pulling image ${requested}`);
    try {
      const { ref, size, took, waited } = await this.#pullInTurn(image);
      const times = `${formatDuration(took)} (${formatDuration(waited)} including waiting)`;
      const message = `Successfully pulled image ${requested} in ${times}. Image size: ${size} bytes.`;
      record('Normal', 'Pulled', message);
      this.#backOff.gc();
      return { kind: 'present', imageRef: ref };
    } catch (error) {
      const said = runtimeErrorMessage(error);
      record('Warning', 'Failed', `Failed to pull image ${requested}: ${said}`);
      this.#backOff.next(key, this.clock.now());
      const { reason, message } = evalCRIPullErr(named, said);
      this.#previousErrors.set(key, `${reason}: ${message}`);
      return { kind: 'failed', reason, message };
    }
  }

  /** Pulls one image at a time; times are whole milliseconds. */
  async #pullInTurn(image: string): Promise<PulledImage & { took: number; waited: number }> {
    const { clock } = this;
    const asked = clock.now();
    let start = asked;
    const pull = this.#turn.then(() => {
      start = clock.now();
      return this.images.pullImage(image);
    });
    this.#turn = pull.catch(() => undefined);
    const pulled = await pull;
    const now = clock.now();
    return { ...pulled, took: Math.trunc(now - start), waited: Math.trunc(now - asked) };
  }
}

/** Prefixes of the runtime's pull errors that have a reason of their own. */
const TOLD_REASONS = [
  ['RegistryUnavailable', 'the registry is unavailable'],
  ['SignatureValidationFailed', 'the signature validation failed'],
] as const;

/** Ports evalCRIPullErr (pkg/kubelet/images/image_manager.go). */
function evalCRIPullErr(image: string, said: string): StartError {
  for (const [reason, why] of TOLD_REASONS) {
    if (!said.startsWith(reason)) continue;
    const message = `image pull failed for ${image} because ${why}${said.slice(reason.length)}`;
    return { reason, message };
  }
  return { reason: 'ErrImagePull', message: said };
}

/**
 * Returns the image with the tag `latest` where it names neither tag nor digest. Ports applyDefaultImageTag
 * (pkg/kubelet/images/image_manager.go).
 */
export function applyDefaultImageTag(image: string): Result<string> {
  const hasDigest = image.includes('@');
  // An image with a digest alone is a good one when it would be with a tag, too.
  const tag = imageTag(hasDigest ? image.replace(/(:[^/:@]+)?@/, ':latest@') : image);
  if (tag === undefined) {
    return fail(`couldn't parse image name ${goQuote(image)}: ${mistakeOf(image)}`);
  }
  const isTagged = hasDigest || image.endsWith(`:${tag}`);
  return ok(isTagged ? image : `${image}:${tag}`);
}

/** Ports the errors of ParseNormalizedNamed (github.com/distribution/reference normalize.go). */
function mistakeOf(image: string): string {
  if (/^[a-f0-9]{64}$/.test(image)) {
    return `invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`;
  }
  const remote = splitDockerDomain(image).remote.split(':', 1)[0] ?? '';
  if (remote.toLowerCase() !== remote) {
    return `invalid reference format: repository name (${remote}) must be lowercase`;
  }
  return 'invalid reference format';
}
