import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { IMAGE } from './engine.js';

const folder = mkdtempSync(join(tmpdir(), 'kprobe-pods-'));
// Another user's kprobe reads them too.
chmodSync(folder, 0o755);
let next = 0;

/** A file with a pod of one container, `app`, and these fields. */
export function podFile(
  fields: Record<string, unknown>,
  spec: Record<string, unknown> = {},
  name = 'pod',
): string {
  const app = { name: 'app', image: IMAGE, imagePullPolicy: 'IfNotPresent', ...fields };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { terminationGracePeriodSeconds: 2, containers: [app], ...spec },
  };
  return textFile(JSON.stringify(pod, null, 2));
}

export function textFile(text: string): string {
  const file = join(folder, `${next++}-pod.yaml`);
  writeFileSync(file, text);
  return file;
}
