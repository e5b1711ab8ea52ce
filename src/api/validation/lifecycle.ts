import type { FieldError } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateHandler } from './handler.js';

/** Ports validateLifecycle (pkg/apis/core/validation/validation.go); stopSignal was dropped before, its gate is off. */
export function validateLifecycle(
  lifecycle: Decoded<'Lifecycle'> | undefined,
  gracePeriod: number | undefined,
  path: string,
): FieldError[] {
  const { postStart, preStop } = lifecycle ?? {};
  return [
    ...(postStart ? validateHandler(postStart, gracePeriod, `${path}.postStart`) : []),
    ...(preStop ? validateHandler(preStop, gracePeriod, `${path}.preStop`) : []),
  ];
}
