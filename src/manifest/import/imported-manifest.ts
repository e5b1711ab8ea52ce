import { dumpYaml } from '../documents/dump-yaml.js';
import { type Healthcheck, healthcheckProbes, type ImportedProbes } from './healthcheck.js';
import type { ImportedPort } from './imported-ports.js';

export interface ImportedContainer {
  readonly name: string;
  readonly image: string;
  readonly ports: readonly ImportedPort[];
  readonly healthcheck?: Healthcheck | undefined;
}

/** Returns a manifest of one pod for each container, with notes as comments above it. */
export function importedManifest(containers: readonly ImportedContainer[]): string {
  const names = new Map<string, string>();
  return containers
    .map((container) => {
      const wanted = kubernetesName(container.name);
      const name = freeName(wanted, names);
      names.set(name, container.name);
      const taken =
        name === wanted ? [] : [`named ${name}, since ${names.get(wanted)} is named ${wanted}`];
      return podText(container, name, taken);
    })
    .join('---\n');
}

function podText(
  { name: service, image, ports, healthcheck }: ImportedContainer,
  name: string,
  remarks: readonly string[],
): string {
  const { notes, ...probes } =
    healthcheck === undefined
      ? { notes: [`${service} has no HEALTHCHECK: there is nothing to probe`] }
      : healthcheckProbes(healthcheck);
  const container = { name, image, ...(ports.length !== 0 && { ports }), ...probes };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [container] },
  };
  const comments = [...remarks, ...notes]
    .map((note) => `# ${note.replace(/[\r\n]+/g, ' ')}\n`)
    .join('');
  return `${comments}${withIgnored(dumpYaml(pod), probes)}`;
}

/** Silences a rule about the startup probe: it has the timeout of the other checks, even where that exceeds start_interval. */
function withIgnored(yaml: string, { startupProbe }: Omit<ImportedProbes, 'notes'>): string {
  const { timeoutSeconds = 0, periodSeconds = 0 } = startupProbe ?? {};
  if (timeoutSeconds < periodSeconds || timeoutSeconds <= 1) return yaml;
  const rule = timeoutSeconds > periodSeconds ? 'exceeds' : 'equals';
  return yaml.replace(/^( *)startupProbe:$/m, `$1# kprobe-ignore: timeout-${rule}-period\n$&`);
}

function freeName(wanted: string, taken: ReadonlyMap<string, string>): string {
  for (let count = 1; ; count++) {
    const end = count === 1 ? '' : `-${count}`;
    const name = `${wanted.slice(0, MAX_NAME - end.length).replace(/-+$/, '')}${end}`;
    if (!taken.has(name)) return name;
  }
}

const MAX_NAME = 63;

export function kubernetesName(name: string): string {
  const label = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MAX_NAME);
  return label.replace(/-+$/, '') || 'app';
}
