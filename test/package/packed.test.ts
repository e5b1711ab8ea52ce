import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { execa } from 'execa';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { COMMANDS } from '../../src/cli/program.js';
import { startHttpServer } from '../helpers/http-server.js';
import { ROOT } from '../helpers/kprobe.js';

/** A folder of a user's, in which the packed tarball is installed without a network. */
let home = '';
let installed = '';
let tarball: Buffer<ArrayBuffer>;
/** What npm printed to standard error while it installed the tarball. */
let warnings = '';

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'kprobe-package-'));
  run('npm', ['pack', '--pack-destination', home], ROOT);
  const [filename = ''] = readdirSync(home).filter((name) => name.endsWith('.tgz'));
  tarball = readFileSync(join(home, filename));
  writeFileSync(join(home, 'package.json'), '{"name": "home", "type": "module"}');
  const args = ['install', '--offline', '--no-audit', '--no-fund', join(home, filename)];
  const { status, stderr } = spawnSync('npm', args, { cwd: home, encoding: 'utf8' });
  expect(status).toBe(0);
  warnings = stderr;
  installed = join(home, 'node_modules/kprobe');
});

afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

describe('the packed tarball', () => {
  it('holds what is needed to run, and nothing else', () => {
    const files = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(installed, join(entry.parentPath, entry.name)));
    const others = files.filter((file) => !file.startsWith('dist/'));
    expect(others.sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'bin/kprobe.js',
      'bin/kubectl-kprobe.js',
      'bin/kubectl_complete-kprobe.js',
      'bin/package.json',
      'package.json',
      'schemas/ci-baseline.schema.json',
      'schemas/config.schema.json',
      'schemas/diagnosis.schema.json',
      'schemas/explain.schema.json',
      'schemas/lint-line.schema.json',
      'schemas/lint.schema.json',
      'schemas/replay-set.schema.json',
      'schemas/rollout-line.schema.json',
      'schemas/rollout-runs.schema.json',
      'schemas/scenario.schema.json',
      'schemas/simulate-runs.schema.json',
      'schemas/suggest.schema.json',
      'schemas/validate-line.schema.json',
      'schemas/validate.schema.json',
    ]);
    expect(files).toContain('dist/third-party-licenses.txt');
  });

  it('shows a demo with npx, without a file', async () => {
    const { stdout, exitCode } = await execa('npx', ['--no', 'kprobe', 'demo', 'crash'], {
      cwd: home,
    });
    expect(stdout).toContain('Lesson: No probe is at fault when the program ends by itself.');
    expect(exitCode).toBe(0);
  });

  it('has no problem that publint finds', async () => {
    const { messages } = await publint({ pack: { tarball: copied(tarball) }, strict: true });
    expect(messages).toEqual([]);
  });

  it('has the right types for ES modules and for `require`', async () => {
    const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    if (checked.types === false) throw new Error('there are no types');
    expect(
      checked.problems.filter(
        // That of TypeScript before 4.7, which does not read `exports`.
        (problem) => !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
      ),
    ).toEqual([]);
  });

  it('has a bill of materials that names each bundled package', () => {
    const printed = run(process.execPath, [join(ROOT, 'packaging/sbom.mjs')], ROOT);
    const sbom = JSON.parse(printed) as { bomFormat: string; components: { 'bom-ref': string }[] };
    const licenses = readFileSync(join(installed, 'dist/third-party-licenses.txt'), 'utf8');
    const bundled = [...licenses.matchAll(/^(\S+) (\d\S*) \(.+\)$/gm)].map(
      ([, name, version]) => `${name}@${version}`,
    );
    expect(sbom.bomFormat).toBe('CycloneDX');
    expect(bundled).toContain('ink@6.8.0');
    expect(sbom.components.map((component) => component['bom-ref']).toSorted()).toEqual(
      bundled.toSorted(),
    );
  });

  it('has one of the executable, which also names its Node', () => {
    const script = join(ROOT, 'packaging/sbom.mjs');
    const printed = run(process.execPath, [script, join(ROOT, 'bin/kprobe.js')], ROOT);
    const { components } = JSON.parse(printed) as { components: { 'bom-ref': string }[] };
    expect(components.at(-1)).toMatchObject({ 'bom-ref': `node@${process.versions.node}` });
  });

  it('is installed without a warning that names it', () => {
    const named = warnings.split('\n').filter((line) => /kprobe/i.test(line));
    expect(named).toEqual([]);
  });

  it('says where its repository is', () => {
    const text = readFileSync(join(installed, 'package.json'), 'utf8');
    const { repository, homepage, bugs } = JSON.parse(text) as Record<string, unknown>;
    expect({ repository, homepage, bugs }).toEqual({
      repository: { type: 'git', url: 'git+https://github.com/kprobe/kprobe.git' },
      homepage: 'https://github.com/kprobe/kprobe',
      bugs: { url: 'https://github.com/kprobe/kprobe/issues' },
    });
  });

  it('installs no other package', () => {
    const packages = readdirSync(join(home, 'node_modules')).filter(
      (name) => !name.startsWith('.'),
    );
    expect(packages).toEqual(['kprobe']);
  });

  it('names no folder of the machine that built it', () => {
    const texts = readdirSync(join(installed, 'dist'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    expect(texts.filter((text) => text.includes(ROOT))).toEqual([]);
  });

  it('says its version', async () => {
    expect(await kprobe('--version')).toBe('0.1.0');
  });

  it('has a man page of each command, without an error of mandoc', () => {
    const folder = join(installed, 'dist/man');
    const { man } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      readonly man: readonly string[];
    };
    const pages = ['kprobe.1', ...COMMANDS.map(({ name }) => `kprobe-${name}.1`)];
    expect(man).toEqual(pages.map((page) => `./dist/man/${page}`));
    expect(readdirSync(folder).toSorted()).toEqual(pages.toSorted());
    for (const page of pages) {
      const lint = ['-T', 'lint', '-W', 'warning', join(folder, page)];
      const { stdout, error } = spawnSync('mandoc', lint, { encoding: 'utf8' });
      expect(error).toBeUndefined();
      // A date would change with each build.
      expect(stdout.split('\n').filter((line) => !/missing date|^$/.test(line))).toEqual([]);
    }
    const shown = run('mandoc', ['-T', 'ascii', join(folder, 'kprobe-lint.1')], home);
    const plain = shown.replace(/.\x08/g, '');
    expect(plain).toMatch(/NAME\n +kprobe-lint - report risky probe settings, and fix them/);
    expect(plain).toMatch(/^ +--fail-on <severity>\n +exit 1 on this severity or worse/m);
    expect(plain).toMatch(/^EXIT CODES$/m);
  });

  it('is a plugin of kubectl', () => {
    const plugin = join(home, 'node_modules/.bin/kubectl-kprobe');
    const help = run(plugin, ['watch', '--help'], home);
    expect(help).toMatch(/^Usage: kubectl kprobe watch /);
    const { status, stderr } = spawnSync(
      plugin,
      ['-n', 'shop', '--context', 'none', 'watch', 'web'],
      {
        ...{ cwd: home, encoding: 'utf8', env: { ...process.env, KUBECONFIG: join(home, 'none') } },
      },
    );
    expect(status).toBe(2);
    expect(stderr).toMatch(/^kprobe: .*"none"/);
  });

  it('has the server of the demo', async () => {
    expect(await kprobe('demo', 'crash')).toMatch(
      /crashed 1 × \(exit 1\): Error: DATABASE_URL is not set/,
    );
  });

  it('runs the probes of a manifest', async () => {
    const { port, ...server } = await startHttpServer(200);
    writeFileSync(join(home, 'pod.yaml'), manifest(`readinessProbe: {httpGet: {port: ${port}}}`));
    expect(await kprobe('run', 'pod.yaml')).toMatch(/default\/web ready after/);
    await server.close();
  });

  it('simulates on all processors', async () => {
    writeFileSync(
      join(home, 'simulated.yaml'),
      manifest('readinessProbe: {tcpSocket: {port: 80}}'),
    );
    const printed = await kprobe('simulate', 'simulated.yaml', '--runs', '4', '--for', '1m');
    expect(printed).toMatch(
      /^default\/web, 4 runs of 60\.0 s\n {2}ready or succeeded at the end {2}100\.0 %/,
    );
  });

  it('is a library with types', () => {
    writeFileSync(
      join(home, 'library.ts'),
      `import { encodeLine, explain, loadManifest, type LoadedManifest, EMPTY_BEHAVIOR, podScenario, readTrace, type ReadTrace, simulate, suggest, type TraceLine, whatIf } from 'kprobe';
const text = 'kind: Pod\\napiVersion: v1\\nmetadata: {name: a}\\nspec: {containers: [{name: b, image: c:1}]}';
const manifest: LoadedManifest = loadManifest([{ file: 'pod.yaml', text }]);
console.log(String(manifest.pods.length), String(manifest.diagnostics.length));
const { scenario } = podScenario(manifest.pods[0]!.pod, EMPTY_BEHAVIOR, { until: 5000 });
const lines: TraceLine[] = [];
await simulate(scenario, (line) => lines.push(line));
const header = JSON.stringify({ t: 0, kind: 'trace', version: 1, kprobe: '0', kubelet: '1.36', target: 'simulated' });
const read: ReadTrace = readTrace([header, ...lines.map(encodeLine), ''].join('\\n'));
const { changed } = await whatIf(read.trace!, (pod) => pod);
console.log(changed.verdict.kind, String((await suggest(read.trace!)).pods.length), String(explain(manifest.pods)[0]!.gone.span.to));
`,
    );
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node'];
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2023', ...types];
    run(process.execPath, [tsc, ...options, 'library.ts'], home);
    expect(run(process.execPath, ['library.js'], home)).toBe('1 0\nholds 1 30\n');
  });
});

/** The bytes alone: a small file's buffer is a part of a larger one. */
function copied(bytes: Buffer<ArrayBuffer>): ArrayBuffer {
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
}

/** A pod with a container that has this probe. */
function manifest(probe: string): string {
  return `{apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: app, image: web:1, ${probe}}]}}`;
}

async function kprobe(...args: string[]): Promise<string> {
  const { stdout } = await execa(join(home, 'node_modules/.bin/kprobe'), args, { cwd: home });
  return stdout;
}

function run(file: string, args: readonly string[], cwd: string): string {
  return execFileSync(file, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
