import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';

import { ROOT } from '../helpers/kprobe.js';

interface Plugin {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly version: string;
    readonly shortDescription: string;
    readonly description: string;
    readonly homepage: string;
    readonly platforms: readonly {
      readonly uri: string;
      readonly sha256: string;
      readonly bin: string;
      readonly files: readonly { readonly from: string; readonly to: string }[];
      readonly selector: { readonly matchExpressions: readonly { readonly key: string }[] };
    }[];
  };
}

const { version, bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly bin: Readonly<Record<string, string>>;
};

/** Fills in the template as krew-release-bot does. */
function filled(tag: string): Plugin {
  const sha256 = createHash('sha256').update(tag).digest('hex');
  const text = readFileSync(join(ROOT, 'krew/kprobe.yaml'), 'utf8')
    .replace(
      /^( *)\{\{ ?addURIAndSha "(.*)" \.TagName ?\}\}$/gm,
      (_, indent: string, uri: string) => `${indent}uri: ${uri}\n${indent}sha256: ${sha256}`,
    )
    .replaceAll('{{ .TagName }}', tag);
  return load(text) as Plugin;
}

/** The rules of krew's ValidatePlugin (internal/index/validation/validate.go). */
describe("krew's manifest", () => {
  const { apiVersion, kind, metadata, spec } = filled(`v${version}`);

  it('has the name of its file, and says in one line what it is', () => {
    expect(apiVersion).toBe('krew.googlecontainertools.github.com/v1alpha2');
    expect(kind).toBe('Plugin');
    expect(metadata.name).toBe('kprobe');
    expect(metadata.name).toMatch(/^(?!kubectl)[a-z][a-z-]*$/);
    expect(spec.shortDescription).toMatch(/^\S.{0,48}[^.\s]$/);
    expect(spec.homepage).toBe('https://github.com/kprobe/kprobe');
  });

  it('has the version of the package as a semantic version with a v', () => {
    expect(spec.version).toMatch(/^v(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[\w.-]+)?$/);
    expect(spec.version).toBe(`v${version}`);
  });

  it('has an address, a sha256, files and a selector of known keys for each platform', () => {
    expect(spec.platforms).not.toEqual([]);
    for (const { uri, sha256, files, selector } of spec.platforms) {
      expect(uri).toBe(`https://github.com/kprobe/kprobe/releases/download/v${version}/kprobe.tgz`);
      expect(sha256).toMatch(/^[a-f0-9]{64}$/);
      // `npm pack` puts all files in one folder, LICENSE among them.
      expect(files).toEqual([{ from: 'package/*', to: '.' }]);
      expect(selector.matchExpressions.map(({ key }) => key)).toEqual(['os']);
    }
  });

  it("starts the package's second program", () => {
    expect(spec.platforms.map((platform) => platform.bin)).toEqual([bin['kubectl-kprobe']]);
  });
});
