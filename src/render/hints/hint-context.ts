import type { Probe } from '../../api/index.js';
import type { ContainerView } from '../../trace/summary/container-view.js';
import type { AttemptView, ProbeView } from '../../trace/summary/probe-view.js';

/** The data that a hint may use. */
export interface HintContext {
  readonly container: ContainerView;
  readonly probe: ProbeView;
  readonly spec: Probe;
  readonly attempt: AttemptView;
  /** The kubelet's text about the attempt. */
  readonly output: string;
  /** The response's head and body, as far as they are known. */
  readonly response: string;
  readonly body: string;
}

/** Undefined where it does not apply. */
export type HintRule = (context: HintContext) => string | undefined;
