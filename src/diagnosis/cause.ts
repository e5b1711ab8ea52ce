import type { Probe } from '../api/index.js';
import type { AttemptOutcome } from '../kubelet/ports.js';
import type { Evidence } from '../trace/event.js';
import type { ContainerView } from '../trace/summary/container-view.js';
import type { ProbeView } from '../trace/summary/probe-view.js';

/** A field of the container, such as `livenessProbe.timeoutSeconds`, and the value that helps. */
export interface Setting {
  readonly field: string;
  readonly value: number | string;
}

/** Why something failed, and the change that would help, where kprobe can tell. */
export interface Cause {
  readonly why: string;
  /** A sentence. */
  readonly change?: string | undefined;
  /** The same as a setting, where it is one. */
  readonly setting?: Setting | undefined;
}

export type EndedAttempt = AttemptOutcome & {
  readonly run: number;
  readonly evidence?: Evidence | undefined;
};

export interface CauseContext {
  readonly container: ContainerView;
  readonly probe: ProbeView;
  readonly spec: Probe;
  readonly attempt: EndedAttempt;
  /** As far as it is known. */
  readonly body: string;
  /** `livenessProbe` */
  readonly field: string;
}

/** Returns undefined where it does not apply. */
export type CauseRule = (context: CauseContext) => Cause | undefined;

/** Returns the change of a field to a value. */
export function changeTo(
  field: string,
  value: number | string,
  sentence = `Set ${field} to ${value}`,
): Pick<Cause, 'change' | 'setting'> {
  return { change: sentence, setting: { field, value } };
}

/** The parts of a sentence that are there. */
export function joined(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('; ');
}

/** `why. Change` */
export function causeText({ why, change }: Cause): string {
  return change === undefined ? why : `${why}. ${change}`;
}
