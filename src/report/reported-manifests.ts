import { existsSync } from 'node:fs';

import type { Pod } from '../api/index.js';
import { podKey } from '../kubelet/pod-name.js';
import { dumpYaml } from '../manifest/documents/dump-yaml.js';
import type { ManifestSource } from '../manifest/documents/source-file.js';
import { type LoadedManifest, loadManifest } from '../manifest/pods/load-manifest.js';
import { manifestSecrets } from '../manifest/pods/manifest-secrets.js';
import { linesOf, maskSourceLine } from '../secrets/mask-source.js';
import type { TraceLine } from '../trace/trace-line.js';
import type { ReportedManifest } from './run-report.js';

/** Returns the manifest of each pod: as the user wrote it, or else as it was recorded. */
export function reportedManifests(lines: readonly TraceLine[], sources: readonly ManifestSource[]) {
  const manifest = loadManifest(sources, { validate: false });
  const found = new Map<string, ReportedManifest>();
  for (const line of lines) {
    if (line.kind !== 'pod' || found.has(line.pod)) continue;
    const shown = written(line.pod, manifest, sources) ?? recorded(line.object);
    if (shown !== undefined) found.set(line.pod, shown);
  }
  return found;
}

function written(key: string, manifest: LoadedManifest, sources: readonly ManifestSource[]) {
  const loaded = manifest.pods.find(({ pod }) => podKey(pod) === key);
  const source = sources.find(({ file }) => file === loaded?.source.file);
  if (loaded === undefined || source === undefined) return undefined;
  const { file, line: first } = loaded.source;
  const secrets = manifestSecrets(manifest);
  const lines = objectLines(source.text, first).map((line) => secrets.text(line));
  return { file, isFile: existsSync(file), lines, first, positions: loaded.positions };
}

function recorded({ metadata, spec }: Pod): ReportedManifest | undefined {
  const { name, namespace } = metadata;
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, spec };
  const text = dumpYaml(object, { sortKeys: true });
  const [loaded] = loadManifest([{ file: 'pod', text }], { validate: false }).pods;
  if (loaded === undefined) return undefined;
  const { positions } = loaded;
  const file = `${namespace}/${name}`;
  return { file, isFile: false, lines: objectLines(text, 1), first: 1, positions };
}

/** Returns the lines of one document, with secrets masked. */
function objectLines(text: string, first: number): readonly string[] {
  const lines = linesOf(text);
  const next = lines.texts.findIndex((line, index) => index >= first && /^---(?:\s|$)/.test(line));
  const end = next === -1 ? lines.texts.length : next;
  const numbers = Array.from({ length: Math.max(0, end - first + 1) }, (_, index) => first + index);
  const shown = numbers.map((number) => maskSourceLine(lines, number));
  return shown.slice(0, shown.findLastIndex((line) => line.trim() !== '') + 1);
}
