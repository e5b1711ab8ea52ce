import { dumpYaml } from '../dump-yaml.js';
import type { ImportedContainer } from './healthcheck.js';
import { healthcheckProbes } from './healthcheck-probes.js';

/** A manifest of one pod for each container, notes as comments above it. */
export function importedManifest(containers: readonly ImportedContainer[]): string {
  return containers.map(podText).join('---\n');
}

function podText({ name, image, ports, healthcheck }: ImportedContainer): string {
  const { notes, ...probes } =
    healthcheck === undefined
      ? { notes: [`${name} has no HEALTHCHECK: there is nothing to probe`] }
      : healthcheckProbes(healthcheck);
  const valid = kubernetesName(name);
  const container = {
    name: valid,
    image,
    ...(ports.length === 0 ? {} : { ports: ports.map((containerPort) => ({ containerPort })) }),
    ...probes,
  };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: valid },
    spec: { containers: [container] },
  };
  const comments = notes.map((note) => `# ${note.replace(/[\r\n]+/g, ' ')}\n`).join('');
  return `${comments}${dumpYaml(pod)}`;
}

/** A name as Kubernetes takes it. */
function kubernetesName(name: string): string {
  const label = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 63);
  return label.replace(/-+$/, '') || 'app';
}
