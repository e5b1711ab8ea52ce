import { containersWithPath } from '../containers-with-path.js';
import { type FieldError, invalid } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';

type PodSpec = Decoded<'PodSpec'>;

/** Ports validateWindowsHostProcessPod (pkg/apis/core/validation/validation.go). */
export function validateWindowsHostProcessPod(spec: PodSpec, path: string): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const containers = containersWithPath(spec, path);
  const errors: FieldError[] = [];
  let hostProcesses = 0;
  for (const { container, at } of containers) {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && own !== ofPod) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.push(invalid(`${at}.securityContext.windowsOptions.hostProcess`, own, detail));
    }
    if (own ?? ofPod) hostProcesses++;
  }
  if (hostProcesses === 0) return errors;
  if (hostProcesses !== containers.length) {
    const detail =
      'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    errors.push(invalid(path, '', detail));
  }
  if (spec.hostNetwork !== true) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
    errors.push(invalid(`${path}.hostNetwork`, false, detail));
  }
  return errors;
}
