import type { Decoded } from '../schema/decoded.js';

const DEFAULT_SERVICE_ACCOUNT_NAME = 'default';

/**
 * The service account that a pod of a cluster always has. Ports what Plugin.Admit sets
 * (plugin/pkg/admission/serviceaccount/admission.go); `serviceAccount` is the old name of the same field.
 */
export function setServiceAccount(spec: Decoded<'PodSpec'>): Decoded<'PodSpec'> {
  const name = spec.serviceAccountName ?? spec.serviceAccount ?? DEFAULT_SERVICE_ACCOUNT_NAME;
  return { ...spec, serviceAccountName: name };
}
