import type { FieldError } from '../field-error.js';

const PERIOD = /\.(?:startup|readiness|liveness)Probe\.periodSeconds$/;

/**
 * Whether a kubelet would end of what is wrong, had somebody let the pod in: a ticker (time.NewTicker) panics when its
 * period is not positive.
 */
export function endsKubelet({ field }: FieldError): boolean {
  return PERIOD.test(field);
}
