import { type FieldError, invalid } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateNonnegativeField } from './common.js';
import { validateHandler } from './handler.js';

type Probe = Decoded<'Probe'>;

/** Ports validateLivenessProbe (pkg/apis/core/validation/validation.go). */
export function validateLivenessProbe(
  probe: Probe | undefined,
  gracePeriod: number | undefined,
  path: string,
): FieldError[] {
  if (probe === undefined) return [];
  return [...validateProbe(probe, gracePeriod, path), ...validateSuccessThresholdOne(probe, path)];
}

/** Ports validateReadinessProbe (pkg/apis/core/validation/validation.go). */
export function validateReadinessProbe(
  probe: Probe | undefined,
  gracePeriod: number | undefined,
  path: string,
): FieldError[] {
  if (probe === undefined) return [];
  const errors = validateProbe(probe, gracePeriod, path);
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined) {
    const detail = 'must not be set for readinessProbes';
    errors.push(invalid(`${path}.terminationGracePeriodSeconds`, grace, detail));
  }
  return errors;
}

/** Ports validateStartupProbe (pkg/apis/core/validation/validation.go). */
export function validateStartupProbe(
  probe: Probe | undefined,
  gracePeriod: number | undefined,
  path: string,
): FieldError[] {
  if (probe === undefined) return [];
  return [...validateProbe(probe, gracePeriod, path), ...validateSuccessThresholdOne(probe, path)];
}

function validateSuccessThresholdOne(probe: Probe, path: string): FieldError[] {
  const threshold = probe.successThreshold ?? 0;
  return threshold === 1 ? [] : [invalid(`${path}.successThreshold`, threshold, 'must be 1')];
}

/** Ports validateProbe (pkg/apis/core/validation/validation.go). */
function validateProbe(probe: Probe, gracePeriod: number | undefined, path: string): FieldError[] {
  const { exec, httpGet, tcpSocket, grpc } = probe;
  const errors = validateHandler({ exec, httpGet, tcpSocket, grpc }, gracePeriod, path);
  for (const field of [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ] as const) {
    errors.push(...validateNonnegativeField(probe[field] ?? 0, `${path}.${field}`));
  }
  const grace = probe.terminationGracePeriodSeconds;
  if (grace !== undefined && grace <= 0) {
    errors.push(invalid(`${path}.terminationGracePeriodSeconds`, grace, 'must be greater than 0'));
  }
  return errors;
}
