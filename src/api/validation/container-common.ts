import { duplicate, type FieldError, invalid, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateDNS1123Label, validateEnum } from './common.js';
import { validateEnv, validateEnvFrom } from './env.js';
import { validateContainerPorts } from './ports.js';
import { validateContainerResourceName } from './resource-names.js';
import { validateResourceRequirements } from './resources.js';
import { validateSecurityContext } from './security-context.js';
import { validateVolumeDevices, validateVolumeMounts } from './volume-mounts.js';
import type { VolumesByName } from './volumes.js';

type Container = Decoded<'Container'>;

/** What the containers of a pod spec are checked against. */
export interface PodContext {
  readonly spec: Decoded<'PodSpec'>;
  readonly volumes: VolumesByName;
  /** The names in spec.resourceClaims. */
  readonly claimNames: ReadonlySet<string>;
}

const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError'];
const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];
const RESIZE_RESOURCES = ['cpu', 'memory'];
const RESIZE_POLICIES = ['NotRequired', 'RestartContainer'];

/** Ports validateContainerCommon (pkg/apis/core/validation/validation.go). */
export function validateContainerCommon(
  container: Container,
  context: PodContext,
  path: string,
): FieldError[] {
  const { name = '', image = '' } = container;
  const { spec, volumes, claimNames } = context;
  return [
    ...(name === '' ? [required(`${path}.name`)] : validateDNS1123Label(name, `${path}.name`)),
    ...(image === '' ? [required(`${path}.image`)] : []),
    ...validateEnum(
      container.terminationMessagePolicy,
      MESSAGE_POLICIES,
      `${path}.terminationMessagePolicy`,
    ),
    ...validateContainerPorts(container.ports, `${path}.ports`),
    ...validateEnv(container.env, `${path}.env`),
    ...validateEnvFrom(container.envFrom, `${path}.envFrom`),
    ...validateVolumeMounts(container, volumes, `${path}.volumeMounts`),
    ...validateVolumeDevices(container, volumes, `${path}.volumeDevices`),
    ...validateEnum(container.imagePullPolicy, PULL_POLICIES, `${path}.imagePullPolicy`),
    ...validateResourceRequirements(
      container.resources,
      claimNames,
      validateContainerResourceName,
      `${path}.resources`,
    ),
    ...validateResizePolicy(container, spec.restartPolicy, `${path}.resizePolicy`),
    ...validateSecurityContext(
      container.securityContext,
      spec.hostUsers ?? true,
      `${path}.securityContext`,
    ),
  ];
}

/** Ports validateResizePolicy (pkg/apis/core/validation/validation.go). */
function validateResizePolicy(
  container: Container,
  podRestartPolicy: string | undefined,
  path: string,
): FieldError[] {
  const seen = new Set<string>();
  return (container.resizePolicy ?? []).flatMap((policy, index) => {
    const { resourceName = '', restartPolicy = '' } = policy;
    const errors = seen.has(resourceName) ? [duplicate(`${path}[${index}]`, resourceName)] : [];
    seen.add(resourceName);
    errors.push(...validateEnum(resourceName, RESIZE_RESOURCES, path));
    errors.push(...validateEnum(restartPolicy, RESIZE_POLICIES, path));
    if (podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired') {
      const detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
      errors.push(invalid(path, restartPolicy, detail));
    }
    return errors;
  });
}
