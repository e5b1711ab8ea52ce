/**
 * Rehearses a release without publishing anything: runs the commands of the release workflow in a new clone, in their order, and
 * then does with their files what a user does.
 *
 *     node scripts/release/rehearse.mjs FOLDER    (a new folder; krew's validation needs Go)
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { load } from 'js-yaml';

import { validateKrewManifest } from './krew.mjs';

const ROOT = join(import.meta.dirname, '../..');
const PUBLISHES = /^(?:npm publish|gh release create)/;

const folder = resolve(process.argv[2] ?? 'release-rehearsal');
const clone = join(folder, 'kprobe');
const platform = `${process.platform}-${process.arch}`;

function say(text) {
  process.stdout.write(`== ${text}\n`);
}

function run(command, cwd, env = process.env) {
  say(command);
  execFileSync('bash', ['-euo', 'pipefail', '-c', command], { cwd, env, stdio: 'inherit' });
}

mkdirSync(folder, { recursive: true });
execFileSync('git', ['clone', '--quiet', ROOT, clone]);
const { jobs } = load(readFileSync(join(clone, '.github/workflows/release.yml'), 'utf8'));
const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
const temp = mkdtempSync(join(folder, 'temp-'));
const env = { ...process.env, GITHUB_REF_NAME: `v${version}`, RUNNER_TEMP: temp };

function runJob({ steps }) {
  for (const { run: command, uses } of steps) {
    if (uses?.startsWith('actions/download-artifact')) takeArchives();
    else if (uses !== undefined) say(`not here: ${uses}`);
    else if (PUBLISHES.test(command)) say(`not run, because it publishes: ${command}`);
    else run(command.replaceAll('${{ matrix.platform }}', platform), clone, env);
  }
}

/** Other platforms' executables are made on these platforms: the archive of this one stands for each of them. */
function takeArchives() {
  mkdirSync(join(clone, 'release'), { recursive: true });
  for (const { platform: each } of jobs.executable.strategy.matrix.include) {
    copyFileSync(
      join(clone, `kprobe-${platform}.tar.gz`),
      join(clone, 'release', `kprobe-${each}.tar.gz`),
    );
  }
}

runJob(jobs.executable);
runJob(jobs.publish);

const release = join(clone, 'release');
run('sha256sum --check --quiet SHA256SUMS', release);
validateKrewManifest(join(release, 'krew.yaml'));
say('krew accepts krew.yaml');
const sbom = JSON.parse(readFileSync(join(release, 'kprobe.cdx.json'), 'utf8'));
say(`${sbom.bomFormat} ${sbom.specVersion}: ${sbom.components.length} components`);

// A user with nothing but Node: no package of the clone, and no network.
const home = mkdtempSync(join(folder, 'home-'));
const [tarball] = readdirSync(release).filter((name) => /^kprobe-\d.*\.tgz$/.test(name));
const bare = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home };
run(`npm install --offline --no-audit --no-fund ${join(release, tarball)}`, home, bare);
run('npx --no kprobe demo crash', home, bare);
// The executable, without Node on the PATH.
run(`tar -xzf ${join(release, `kprobe-${platform}.tar.gz`)} kprobe`, home, bare);
run('./kprobe demo crash', home, { PATH: '/usr/bin:/bin', HOME: home });
say(`rehearsed v${version}: nothing was published`);
