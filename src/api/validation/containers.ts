import { duplicate, type FieldError, forbidden, invalid, required } from '../field-error.js';
import { goTrimSpace } from '../go-text.js';
import type { Decoded } from '../schema/decoded.js';
import { type PodContext, validateContainerCommon } from './container-common.js';
import { validateLifecycle } from './lifecycle.js';
import { checkHostPortConflicts } from './ports.js';
import { validateLivenessProbe, validateReadinessProbe, validateStartupProbe } from './probe.js';
import {
  validateContainerRestartPolicy,
  validateInitContainerRestartPolicy,
} from './restart-policy.js';

type Container = Decoded<'Container'>;

/** Ports validateContainers (pkg/apis/core/validation/validation.go). */
export function validateContainers(context: PodContext, path: string): FieldError[] {
  const containers = context.spec.containers ?? [];
  if (containers.length === 0) return [required(path)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const { name = '' } = container;
    const own = validateContainerCommon(container, context, at);
    if (names.has(name)) own.push(duplicate(`${at}.name`, name));
    names.add(name);
    return [
      ...own,
      ...validateHooksAndProbes(container, context, at),
      ...validateContainerRestartPolicy(container, at),
    ];
  });
  return [...errors, ...checkHostPortConflicts(containers, path)];
}

function validateHooksAndProbes(
  container: Container,
  context: PodContext,
  path: string,
): FieldError[] {
  const gracePeriod = context.spec.terminationGracePeriodSeconds;
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  return [
    ...validateLifecycle(lifecycle, gracePeriod, `${path}.lifecycle`),
    ...validateLivenessProbe(livenessProbe, gracePeriod, `${path}.livenessProbe`),
    ...validateReadinessProbe(readinessProbe, gracePeriod, `${path}.readinessProbe`),
    ...validateStartupProbe(startupProbe, gracePeriod, `${path}.startupProbe`),
  ];
}

/** Ports validateInitContainers (pkg/apis/core/validation/validation.go). */
export function validateInitContainers(context: PodContext, path: string): FieldError[] {
  const names = new Set((context.spec.containers ?? []).map((container) => container.name ?? ''));
  return (context.spec.initContainers ?? []).flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const { name = '' } = container;
    const errors = [
      ...validateContainerCommon(container, context, at),
      ...validateInitContainerRestartPolicy(container, at),
    ];
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    else if (name !== '') names.add(name);
    // The server counts each init container as the first of its own list.
    errors.push(...checkHostPortConflicts([container], path));
    const isSidecar = container.restartPolicy === 'Always';
    errors.push(
      ...(isSidecar
        ? validateHooksAndProbes(container, context, at)
        : forbidHooksAndProbes(container, at)),
    );
    return isSidecar ? errors : [...errors, ...forbidRestartOnResize(container, at)];
  });
}

function forbidHooksAndProbes(container: Container, path: string): FieldError[] {
  const fields = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;
  const detail = 'may not be set for init containers without restartPolicy=Always';
  return fields
    .filter((field) => container[field] !== undefined)
    .map((field) => forbidden(`${path}.${field}`, detail));
}

function forbidRestartOnResize(container: Container, path: string): FieldError[] {
  const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
  return (container.resizePolicy ?? []).flatMap(({ restartPolicy }, index) =>
    restartPolicy === 'RestartContainer'
      ? [invalid(`${path}.resizePolicy[${index}].restartPolicy`, restartPolicy, detail)]
      : [],
  );
}

/** Ports validateContainerOnlyForPod (pkg/apis/core/validation/validation.go). */
export function validateContainerOnlyForPod(container: Container, path: string): FieldError[] {
  const { image = '' } = container;
  if (image === goTrimSpace(image)) return [];
  return [invalid(`${path}.image`, image, 'must not have leading or trailing whitespace')];
}
