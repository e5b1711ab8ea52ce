import type { IntOrString, Probe } from '../../../api/index.js';
import type { Setting } from '../../../diagnosis/cause.js';
import type { Diagnosis } from '../../../diagnosis/diagnosis.js';
import { probeOf } from '../../../kubelet/prober/probe-of.js';
import { dumpYaml } from '../../../manifest/documents/dump-yaml.js';
import type { FoundProbe } from './selection.js';

/** A text that can be copied, and its name. */
export interface Copy {
  readonly name: string;
  readonly text: string;
}

/** A probe's latest attempt as commands that repeat it, and the change that helps as a patch of the pod. */
export function copiesOf(found: FoundProbe, troubles: readonly Diagnosis[]): Copy[] {
  const { container, probe } = found;
  const setting = troubles.find((one) => one.container === container.name)?.setting;
  return [
    ...commandsOf(found),
    ...(setting?.field.startsWith(`${probe.type}Probe.`) === true
      ? [{ name: 'the patch', text: patchOf(container.name, setting) }]
      : []),
  ];
}

function patchOf(name: string, { field, value }: Setting): string {
  const change = field.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return dumpYaml({ spec: { containers: [{ name, ...(change as object) }] } });
}

function commandsOf({ container, probe }: FoundProbe): Copy[] {
  const spec = probeOf(container.spec, probe.type);
  if (spec === undefined) return [];
  const address = probe.attempts.findLast(({ detail }) => detail !== undefined)?.detail?.address;
  const { httpGet, tcpSocket, grpc, exec } = spec;
  if (exec !== undefined) {
    const command = (exec.command ?? []).map(quote).join(' ');
    return [
      { name: 'the command', text: command },
      { name: 'kprobe once', text: `kprobe once ${timeout(spec)} --exec -- ${command}` },
    ];
  }
  const port = httpGet?.port ?? tcpSocket?.port ?? grpc?.port ?? 0;
  const at = address ?? `127.0.0.1:${portNumber(port, container.spec.ports)}`;
  const once = (flags: string): Copy => ({
    name: 'kprobe once',
    text: `kprobe once ${timeout(spec)} ${flags}`,
  });
  if (tcpSocket !== undefined) return [once(`--tcp ${quote(at)}`)];
  if (grpc !== undefined) {
    const service = grpc.service ?? '';
    return [once(`--grpc ${quote(service === '' ? at : `${at}/${service}`)}`)];
  }
  const { scheme = 'HTTP', path = '/', httpHeaders = [] } = httpGet ?? {};
  const url = quote(`${scheme.toLowerCase()}://${at}${path}`);
  const headers = httpHeaders
    .map(({ name, value }) => `-H ${quote(`${name}: ${value}`)} `)
    .join('');
  return [
    { name: 'curl', text: `curl -ik --max-time ${spec.timeoutSeconds} ${headers}${url}` },
    once(`${headers}--http ${url}`),
  ];
}

function timeout({ timeoutSeconds }: Probe): string {
  return `-m ${timeoutSeconds}s`;
}

function portNumber(
  port: IntOrString,
  ports: readonly { readonly name?: string; readonly containerPort: number }[] = [],
): IntOrString {
  return ports.find(({ name }) => name === port)?.containerPort ?? port;
}

/** A word as a shell takes it. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
