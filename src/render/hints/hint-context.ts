import type { Probe } from '../../api/index.js';
import type { ContainerView } from '../../trace/summary/container-view.js';
import type { AttemptView, ProbeView } from '../../trace/summary/probe-view.js';

/** What a hint may be drawn from: what was asked for, and what was seen. */
export interface HintContext {
  readonly container: ContainerView;
  readonly probe: ProbeView;
  readonly spec: Probe;
  readonly attempt: AttemptView;
  /** What the kubelet says of the attempt. */
  readonly said: string;
  /** The answer's head and body, as far as they are known. */
  readonly response: string;
  readonly body: string;
}

/** One thing that can be told from an attempt; undefined where it does not apply. */
export type HintRule = (context: HintContext) => string | undefined;
