import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import packageJson from '../../package.json' with { type: 'json' };
import { validateKrewManifest } from '../../scripts/release/krew.mjs';
import { ROOT } from '../helpers/kprobe.js';

interface Plugin {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly version: string;
    readonly shortDescription: string;
    readonly homepage: string;
    readonly platforms: readonly {
      readonly uri: string;
      readonly sha256: string;
      readonly bin: string;
      readonly files: readonly { readonly from: string; readonly to: string }[];
      readonly selector: { readonly matchLabels: { readonly os: string; readonly arch: string } };
    }[];
  };
}

interface Workflow {
  readonly jobs: {
    readonly executable: {
      readonly strategy: { readonly matrix: { readonly include: readonly { platform: string }[] } };
    };
    readonly publish: {
      readonly permissions: unknown;
      readonly steps: readonly { run?: string }[];
    };
  };
}

const { version } = packageJson;
const DOWNLOADS = `https://github.com/kprobe/kprobe/releases/download/v${version}`;
const workflow = load(
  readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8'),
) as Workflow;
const archives = workflow.jobs.executable.strategy.matrix.include.map(
  ({ platform }) => `kprobe-${platform}.tar.gz`,
);

/** A folder with the archives of a release, for which the templates are filled. */
let release = '';
const read = (file: string): string => readFileSync(join(release, file), 'utf8');
const sha256 = (archive: string): string =>
  createHash('sha256').update(read(archive)).digest('hex');

beforeAll(() => {
  release = mkdtempSync(join(tmpdir(), 'kprobe-release-'));
  for (const archive of archives) writeFileSync(join(release, archive), archive);
  execFileSync(process.execPath, [join(ROOT, 'packaging/fill.mjs'), release]);
});

afterAll(() => {
  rmSync(release, { recursive: true });
});

describe("krew's manifest of a release", () => {
  it('passes the validation of krew, which refuses one without an archive', () => {
    validateKrewManifest(join(release, 'krew.yaml'));
    const broken = join(release, 'broken.yaml');
    writeFileSync(broken, read('krew.yaml').replace(/uri: .*/, "uri: ''"));
    expect(() => validateKrewManifest(broken)).toThrow('uri');
  });

  const plugin = (): Plugin => load(read('krew.yaml')) as Plugin;

  it('has the name of the plugin, and says in one line what it is', () => {
    const { apiVersion, kind, metadata, spec } = plugin();
    expect(apiVersion).toBe('krew.googlecontainertools.github.com/v1alpha2');
    expect(kind).toBe('Plugin');
    expect(metadata.name).toBe('kprobe');
    expect(spec.shortDescription).toMatch(/^\S.{0,48}[^.\s]$/);
    expect(spec.homepage).toBe('https://github.com/kprobe/kprobe');
  });

  it('has the version of the package as a semantic version with a v', () => {
    const { spec } = plugin();
    expect(spec.version).toMatch(/^v(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[\w.-]+)?$/);
    expect(spec.version).toBe(`v${version}`);
  });

  it('has the archive of each platform of the release, with its sha256', () => {
    const { platforms } = plugin().spec;
    expect(platforms.map(({ uri }) => uri)).toEqual(archives.map((name) => `${DOWNLOADS}/${name}`));
    expect(platforms.map((platform) => platform.sha256)).toEqual(archives.map(sha256));
    for (const { uri, selector, bin, files } of platforms) {
      const { os, arch } = selector.matchLabels;
      expect(uri).toContain(`${os}-${arch === 'amd64' ? 'x64' : arch}`);
      expect(files.map(({ to }) => to)).toContain(bin);
    }
  });
});

describe("Homebrew's formula of a release", () => {
  it('has the archive of each platform of the release, with its sha256', () => {
    const formula = read('homebrew.rb');
    const found = [...formula.matchAll(/url "(.+)"\n +sha256 "(.+)"/g)];
    expect(found.map(([, url, sum]) => `${url} ${sum}`).toSorted()).toEqual(
      archives.map((name) => `${DOWNLOADS}/${name} ${sha256(name)}`).toSorted(),
    );
    expect(formula).toContain(`version "${version}"`);
    expect(formula).not.toContain('{{');
  });
});

describe('the release workflow', () => {
  it('runs scripts that there are', () => {
    const commands = workflow.jobs.publish.steps.flatMap(({ run }) => run ?? []);
    const scripts = commands.flatMap((command) => command.match(/packaging\/\S+\.mjs/g) ?? []);
    expect(scripts).toEqual(['packaging/sbom.mjs', 'packaging/fill.mjs']);
    expect(readdirSync(join(ROOT, 'packaging'))).toEqual(
      expect.arrayContaining(scripts.map((script) => script.replace('packaging/', ''))),
    );
  });

  it('writes checksums by which each archive is checked', () => {
    const commands = workflow.jobs.publish.steps.flatMap(({ run }) => run ?? []);
    const command = commands.find((each) => each.includes('SHA256SUMS')) ?? 'false';
    const parent = mkdtempSync(join(tmpdir(), 'kprobe-sums-'));
    symlinkSync(release, join(parent, 'release'));
    execFileSync('sh', ['-c', command], { cwd: parent });
    const checked = execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: release });
    rmSync(parent, { recursive: true });
    expect(checked.toString().trim().split('\n')).toEqual(
      archives.toSorted().map((archive) => `${archive}: OK`),
    );
  });

  it('publishes with provenance', () => {
    const { permissions, steps } = workflow.jobs.publish;
    expect(permissions).toMatchObject({ 'id-token': 'write' });
    const publish = steps.find(({ run }) => run?.startsWith('npm publish') === true);
    expect(publish?.run).toContain('--provenance');
  });
});
