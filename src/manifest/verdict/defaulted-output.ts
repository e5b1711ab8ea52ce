import { type Decoded, encode } from '../../api/index.js';

type PodSpec = Decoded<'PodSpec'>;
type Container = Decoded<'Container'>;
type Written = readonly (readonly [field: string, value: unknown])[];

/** Selects the fields of a defaulted pod spec that decide when the kubelet starts, probes and stops containers. */
export function defaultedOutput(spec: PodSpec, path: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries([
    ['path', path],
    ['restartPolicy', spec.restartPolicy],
    ['terminationGracePeriodSeconds', spec.terminationGracePeriodSeconds],
    ['dnsPolicy', spec.dnsPolicy],
    ...whenSet('hostNetwork', spec.hostNetwork),
    ...listOf('readinessGates', '[]PodReadinessGate', spec.readinessGates),
    ...whenSet('activeDeadlineSeconds', spec.activeDeadlineSeconds),
    ...(spec.initContainers?.length
      ? [['initContainers', spec.initContainers.map(containerOutput)] as const]
      : []),
    ['containers', (spec.containers ?? []).map(containerOutput)],
  ]);
}

function containerOutput(container: Container): Readonly<Record<string, unknown>> {
  const { command, args, restartPolicy } = container;
  return Object.fromEntries([
    ['name', container.name ?? ''],
    ['image', container.image ?? ''],
    ...listOf('command', '[]string', command),
    ...listOf('args', '[]string', args),
    ...listOf('env', '[]EnvVar', container.env),
    ['imagePullPolicy', container.imagePullPolicy],
    ['terminationMessagePath', container.terminationMessagePath],
    ['terminationMessagePolicy', container.terminationMessagePolicy],
    ...whenSet('restartPolicy', restartPolicy),
    ...listOf('restartPolicyRules', '[]ContainerRestartRule', container.restartPolicyRules),
    ...listOf('ports', '[]ContainerPort', container.ports),
    ...structOf('lifecycle', 'Lifecycle', container.lifecycle),
    ...structOf('startupProbe', 'Probe', container.startupProbe),
    ...structOf('readinessProbe', 'Probe', container.readinessProbe),
    ...structOf('livenessProbe', 'Probe', container.livenessProbe),
  ]);
}

function whenSet(field: string, value: unknown): Written {
  return value === undefined || value === false ? [] : [[field, value]];
}

function listOf(field: string, type: string, value: readonly unknown[] | undefined): Written {
  return value === undefined || value.length === 0 ? [] : [[field, encode(value, type)]];
}

function structOf(field: string, type: string, value: unknown): Written {
  return value === undefined ? [] : [[field, encode(value, type)]];
}
