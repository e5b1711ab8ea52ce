import type { ApiServer } from '../../src/api/admission/index.js';
import { omitUndefined } from '../../src/api/index.js';
import { loadManifest } from '../../src/manifest/pods/load-manifest.js';
import type { LoadedPod } from '../../src/manifest/pods/load-pod.js';

/** The pods of a manifest in which nothing is wrong, as the API server of a release stores them. */
export function loadPods(text: string, server?: ApiServer): readonly LoadedPod[] {
  const { pods, diagnostics } = loadManifest(
    [{ file: 'test.yaml', text }],
    omitUndefined({ server }),
  );
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return pods;
}

/** A pod `web` with a spec in flow style: `containers: [{name: app, image: a:1}]`. */
export function podYaml(spec: string, metadata = ''): string {
  return `apiVersion: v1\nkind: Pod\nmetadata: {name: web, ${metadata}}\nspec: {${spec}}\n`;
}

/** A workload `web` with fields of its spec in flow style, and of its pods' spec. */
export function workloadYaml(
  kind: string,
  spec: string,
  podSpec: string,
  labels = 'app: web',
): string {
  const group = kind.endsWith('Job') ? 'batch/v1' : 'apps/v1';
  const template = `template: {metadata: {labels: {${labels}}}, spec: {${podSpec}}}`;
  const inner = kind === 'CronJob' ? `jobTemplate: {spec: {${template}}}` : template;
  return `apiVersion: ${group}\nkind: ${kind}\nmetadata: {name: web}\nspec: {${spec}${spec === '' ? '' : ', '}${inner}}\n`;
}
