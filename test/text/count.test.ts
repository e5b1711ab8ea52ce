import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { counted } from '../../src/text/count.js';
import { ROOT } from '../helpers/kprobe.js';

describe('a count with its noun', () => {
  it.each([
    [counted(0, 'pod'), '0 pods'],
    [counted(1, 'pod'), '1 pod'],
    [counted(2, 'pod'), '2 pods'],
    [counted(1, 'replica is', 'replicas are'), '1 replica is'],
    [counted(3, 'replica is', 'replicas are'), '3 replicas are'],
  ])('is %s', (text, expected) => {
    expect(text).toBe(expected);
  });

  it('is made by counted wherever the count can be 1', () => {
    expect(FOLDERS.flatMap(uncounted)).toEqual([]);
  });
});

/** Where kprobe's own sentences are; the others have those of Kubernetes. */
const FOLDERS = 'cli cluster/observe commands diagnosis report rollout session suggest trace'
  .split(' ')
  .map((folder) => join(ROOT, 'src', folder));

const NOUNS =
  'attempt|check|container|event|failure|file|finding|line|object|pod|probe|replica|request|restart|row|rule|start|success|trial|tr|workload';

const PLURAL = new RegExp(String.raw`\$\{[^}]*\}( more| failed)? (${NOUNS})(e?s|ies)\b`);

/** What is not a count, or never 1: of several, over a limit, of thousands, a range. */
const NEVER_ONE =
  /=== 1 \?|> 1 \?|isKnown|MAX_REPLICAS|requests|via\]|\$\{maxFailures\}|matching\.length|same\.length|observed\.length|herd > 1|range\(|\{replicas\} replicas|\{starts\} starts/;

function uncounted(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const lines = readFileSync(join(folder, file), 'utf8').split('\n');
      return lines
        .filter((text) => PLURAL.test(text) && !NEVER_ONE.test(text))
        .map((text) => `${file}: ${text.trim()}`);
    });
}
