import { probeOf } from '../../kubelet/prober/probe-of.js';
import type { ContainerView } from '../../trace/summary/container-view.js';
import {
  type AttemptView,
  type ProbeView,
  verdictOfAttempt,
} from '../../trace/summary/probe-view.js';
import type { HintContext, HintRule } from './hint-context.js';
import { NETWORK_HINTS } from './network-hints.js';
import { PROTOCOL_HINTS } from './protocol-hints.js';

/** The first that applies is the most telling. */
const RULES: readonly HintRule[] = [...PROTOCOL_HINTS, ...NETWORK_HINTS];

/** The likely cause of an attempt that failed; it changes no verdict. */
export function hintFor(
  { container, probe }: { readonly container: ContainerView; readonly probe: ProbeView },
  attempt: AttemptView,
): string | undefined {
  const spec = probeOf(container.spec, probe.type);
  const isPlainSuccess = verdictOfAttempt(attempt) === 'success' && attempt.result !== 'warning';
  if (spec === undefined || isPlainSuccess) return undefined;
  const { detail, error, output } = attempt;
  const context: HintContext = {
    container,
    probe,
    spec,
    attempt,
    output: error ?? output,
    response: detail?.response ?? '',
    body: new TextDecoder().decode(detail?.body),
  };
  for (const rule of RULES) {
    const hint = rule(context);
    if (hint !== undefined) return hint;
  }
  return undefined;
}
