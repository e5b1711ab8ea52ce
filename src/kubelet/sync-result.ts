import { goQuote } from '../go/quote.js';
import { RuntimeError } from './ports.js';

/** Error reasons of a container's waiting state (pkg/kubelet/container/sync_result.go and others). */
export type StartErrorReason =
  | 'CrashLoopBackOff'
  | 'CreateContainerConfigError'
  | 'CreateContainerError'
  | 'RunContainerError'
  | 'PostStartHookError'
  | 'ErrImagePull'
  | 'ErrImageNeverPull'
  | 'ImagePullBackOff'
  | 'ImageInspectError'
  | 'RegistryUnavailable'
  | 'SignatureValidationFailed'
  | 'InvalidImageName';

export interface StartError<Reason extends string = string> {
  /** A StartErrorReason, or what another kubelet gives for a container that it starts; may be empty then. */
  readonly reason: Reason;
  readonly message: string;
  /** End of the back-off, in the clock's milliseconds. */
  readonly backoffUntil?: number;
}

/** Result of one step of SyncPod. Ports SyncResult (pkg/kubelet/container/sync_result.go). */
export type SyncResult =
  | { readonly action: 'StartContainer'; readonly target: string; readonly error?: StartError }
  | {
      readonly action:
        'KillContainer' | 'KillPodSandbox' | 'CreatePodSandbox' | 'RemoveContainer' | 'SyncPod';
      readonly target: string;
      readonly error?: { readonly reason: string; readonly message: string };
    };

/** Error of a sync, with the end of a back-off. */
export class SyncError extends Error {
  override readonly name = 'SyncError';

  constructor(
    message: string,
    readonly backoffUntil?: number,
  ) {
    super(message);
  }
}

/** Returns all failures as one error, or undefined. Ports PodSyncResult.Error and MinBackoffExpiration. */
export function syncError(results: readonly SyncResult[]): SyncError | undefined {
  const failed = results.filter((result) => result.error !== undefined);
  if (failed.length === 0) return undefined;
  const messages = failed.map(
    ({ action, target, error }) =>
      `failed to ${goQuote(action)} for ${goQuote(target)} with ${error?.reason ?? ''}: ${goQuote(error?.message ?? '')}`,
  );
  const backoffEnds = failed.flatMap((result) =>
    result.action === 'StartContainer' && result.error?.backoffUntil !== undefined
      ? [result.error.backoffUntil]
      : [],
  );
  const until = backoffEnds.length > 0 ? Math.min(...backoffEnds) : undefined;
  return new SyncError(aggregate(messages), until);
}

/** Joins the distinct messages. Ports aggregate.Error (apimachinery/util/errors). */
function aggregate(messages: readonly string[]): string {
  const [first = '', ...others] = new Set(messages);
  return others.length === 0 ? first : `[${[first, ...others].join(', ')}]`;
}

/** Returns the message of a failed runtime call; rethrows other errors, which are bugs. */
export function runtimeErrorMessage(error: unknown): string {
  if (error instanceof RuntimeError) return error.message;
  throw error;
}

/** Waits for a runtime call whose failure has no effect, because the call is made again later. */
export async function ignoreFailure(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    runtimeErrorMessage(error);
  }
}

/** Reasons why each container's latest start failed. Ports ReasonCache (pkg/kubelet/reason_cache.go). */
export class ReasonCache {
  readonly #reasons = new Map<string, StartError>();

  /** Ports Update: only StartContainer results change it. */
  update(uid: string, results: readonly SyncResult[]): void {
    for (const result of results) {
      if (result.action !== 'StartContainer') continue;
      const key = composeKey(uid, result.target);
      if (result.error !== undefined) this.#reasons.set(key, result.error);
      else this.#reasons.delete(key);
    }
  }

  get(uid: string, name: string): StartError | undefined {
    return this.#reasons.get(composeKey(uid, name));
  }
}

function composeKey(uid: string, name: string): string {
  return `${uid}_${name}`;
}
