import type { Probe } from '../../api/index.js';
import { type Diagnosis, provenChange } from '../../diagnosis/fault.js';
import { resolveContainerPort } from '../../kubelet/prober/http-request.js';
import { probeOf } from '../../kubelet/prober/probe-of.js';
import { dumpYaml } from '../../manifest/documents/dump-yaml.js';
import { shellWord } from '../../text/escape.js';
import type { ContainerView } from '../../trace/summary/container-view.js';
import { diagnosesOf, findProbeIn, type FoundProbe } from './selection.js';
import { overlayOf, type Snapshot } from './state.js';

interface Copy {
  readonly name: string;
  readonly text: string;
}

/** Returns what the copy overlay offers. */
export function copiesInView(snapshot: Snapshot): Copy[] {
  const overlay = overlayOf(snapshot.ui, 'copy');
  const found = overlay && findProbeIn(snapshot.summary, overlay);
  return found === undefined ? [] : copiesOf(found, diagnosesOf(found.pod, snapshot));
}

/** A probe's latest attempt as commands that repeat it, and the change that helps as a patch of the pod. */
export function copiesOf(found: FoundProbe, diagnoses: readonly Diagnosis[]): Copy[] {
  const { container, probe } = found;
  const diagnosis = diagnoses.find(({ subject }) => subject.container === container.name);
  const change = diagnosis && provenChange(diagnosis);
  return [
    ...commandsOf(found),
    ...(change?.field.startsWith(`${probe.type}Probe.`) === true
      ? [{ name: 'the patch', text: patchOf(container, change) }]
      : []),
  ];
}

function patchOf(
  { name, role }: ContainerView,
  { field, to }: NonNullable<ReturnType<typeof provenChange>>,
): string {
  const change = field.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), to);
  const list = role === 'container' ? 'containers' : 'initContainers';
  return dumpYaml({ spec: { [list]: [{ name, ...(change as object) }] } });
}

function commandsOf({ container, probe }: FoundProbe): Copy[] {
  const spec = probeOf(container.spec, probe.type);
  if (spec === undefined) return [];
  const address = probe.attempts.findLast(({ detail }) => detail !== undefined)?.detail?.address;
  const { httpGet, tcpSocket, grpc, exec } = spec;
  if (exec !== undefined) {
    const command = (exec.command ?? []).map(shellWord).join(' ');
    return [
      { name: 'the command', text: command },
      { name: 'kprobe once', text: `kprobe once ${timeout(spec)} --exec -- ${command}` },
    ];
  }
  const port = httpGet?.port ?? tcpSocket?.port ?? grpc?.port ?? 0;
  const resolved = resolveContainerPort(port, container.spec);
  const at = address ?? `127.0.0.1:${resolved.ok ? resolved.value : port}`;
  const once = (flags: string): Copy => ({
    name: 'kprobe once',
    text: `kprobe once ${timeout(spec)} ${flags}`,
  });
  if (tcpSocket !== undefined) return [once(`--tcp ${shellWord(at)}`)];
  if (grpc !== undefined) {
    const service = grpc.service ?? '';
    return [once(`--grpc ${shellWord(service === '' ? at : `${at}/${service}`)}`)];
  }
  const { scheme = 'HTTP', path = '/', httpHeaders = [] } = httpGet ?? {};
  const url = shellWord(`${scheme.toLowerCase()}://${at}${path}`);
  const headers = httpHeaders
    .map(({ name, value }) => `-H ${shellWord(`${name}: ${value}`)} `)
    .join('');
  return [
    { name: 'curl', text: `curl -ik --max-time ${spec.timeoutSeconds} ${headers}${url}` },
    once(`${headers}--${scheme.toLowerCase()} ${url}`),
  ];
}

function timeout({ timeoutSeconds }: Probe): string {
  return `-m ${timeoutSeconds}s`;
}
