import { readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../', import.meta.url);

/** Larger manifests make runs slow without covering more. */
const MAX_LENGTH = 8000;

/** Manifests to mutate: the cases of the API server, the rules' examples and published ones. */
export const SEEDS: readonly string[] = [
  ...texts('test/conformance/validation/cases/', /\.(?:yaml|json)$/),
  ...texts('test/fixtures/manifests/', /\.yaml$/),
  ...texts('docs/rules/', /\.md$/).flatMap(examples),
  ...texts('test/fixtures/lint/corpus/', /\.yaml$/),
].filter((text) => text.length <= MAX_LENGTH);

function texts(folder: string, names: RegExp): readonly string[] {
  const url = new URL(folder, ROOT);
  return readdirSync(url)
    .filter((name) => names.test(name))
    .sort()
    .map((name) => readFileSync(new URL(name, url), 'utf8'));
}

function examples(page: string): readonly string[] {
  return [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);
}
