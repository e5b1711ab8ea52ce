import { EVENT_FIELDS } from './event.js';
import {
  boolean,
  exitCode,
  list,
  map,
  number,
  object,
  oneOf,
  optional,
  text,
} from './field-check.js';

/** The object of a manifest that a pod comes from: the pod itself or a workload. */
const SOURCE = object({
  /** `namespace/name` of the pod. */
  pod: text,
  kind: text,
  /** Empty when the object has no name. */
  name: text,
});

/** The fields of each kind of line, except `t` and `kind`, as in docs/trace-format.md. */
export const RECORD_FIELDS = {
  ...EVENT_FIELDS,
  trace: {
    version: number,
    /** Version of the kprobe that wrote it. */
    kprobe: text,
    /** Version of the kubelet that it follows, such as `1.36`. */
    kubelet: text,
    /** The kind of target: `attached`, `process`, `simulated` … */
    target: text,
    /** RFC 3339; absent in a simulation. */
    startedAt: optional(text),
    /** Containers that kprobe really restarted; the other restarts were simulated. */
    realRestarts: optional(list(text)),
    featureGates: optional(map(boolean)),
    /** The longest back-off that was configured, in seconds. */
    maxContainerRestartPeriod: optional(number),
    /** Seconds that the kubelet had been up when the trace began. */
    kubeletAge: optional(number),
    sources: optional(list(SOURCE)),
  },
  end: {
    /** The kind of end; `saved` means that the run continued. */
    how: oneOf('goal', 'quit', 'timeout', 'interrupted', 'saved'),
    /** When the run ended; later lines are from stopping the containers. */
    at: number,
    verdict: oneOf('holds', 'doesNotHold', 'unknown'),
    sentence: text,
    exitCode,
  },
};
