import type { Pod } from '../api/index.js';
import type { Position } from './line-map.js';

/** Where a pod comes from. */
export interface PodSource {
  readonly file: string;
  /** Of the object that it comes from, from 1. */
  readonly line: number;
  /** Which document of the file, from 0. */
  readonly document: number;
  /** The object's kind, such as Deployment, and its name. */
  readonly kind: string;
  readonly name: string;
  /** What a workload asks for; kprobe runs one of them. */
  readonly replicas?: number;
}

/** A pod, defaulted, and what is known of the text that it comes from. */
export interface LoadedPod {
  readonly pod: Pod;
  /** The object that it comes from, decoded, with its defaults. */
  readonly stored: object;
  readonly source: PodSource;
  /** Where a field of the pod (`spec.containers[0].livenessProbe`) stands, or the nearest thing around it. */
  readonly positions: (path: string) => Position;
  /** The paths of the fields that the API's defaults have set, or changed. */
  readonly defaulted: ReadonlySet<string>;
}
