import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freePort } from '../../helpers/free-port.js';
import { kprobe, ROOT } from '../../helpers/kprobe.js';

let folder = '';

/** A repository as a user has it, with ports of its own, and `npx kprobe` as an install gives it. */
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-ci-'));
  const port = String(await freePort());
  cpSync(join(ROOT, 'examples/ci'), join(folder, 'examples/ci'), { recursive: true });
  for (const name of ['pod.yaml', 'server.js']) {
    const file = join(folder, 'examples/ci', name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('18093', port));
  }
  const pod = readFileSync(join(folder, 'examples/ci/pod.yaml'), 'utf8');
  writeFileSync(join(folder, 'invalid.yaml'), pod.replace('periodSeconds: 1', 'periodSeconds: -1'));
  writeFileSync(join(folder, 'bad.yaml'), pod.replaceAll(`port: ${port} }`, 'port: 1 }'));
  const server = readFileSync(join(folder, 'examples/ci/server.js'), 'utf8');
  writeFileSync(
    join(folder, 'abrupt.mjs'),
    server.replace(
      /process\.on.*/,
      "process.on('SIGTERM', () => server.once('request', () => process.exit()));",
    ),
  );
  writeFileSync(join(folder, 'slow.mjs'), server.replace('1000)', '6000)'));
  writeFileSync(
    join(folder, 'deaf.mjs'),
    server.replace(/process\.on.*/, "process.on('SIGTERM', () => {});"),
  );
  mkdirSync(join(folder, 'bin'));
  const npx = `#!/bin/sh\n[ "$1" = --yes ] && shift\nshift\nexec ${process.execPath} ${ROOT}/bin/kprobe.js "$@"\n`;
  writeFileSync(join(folder, 'bin/npx'), npx);
  chmodSync(join(folder, 'bin/npx'), 0o755);
});

afterAll(() => rmSync(folder, { recursive: true }));

const POD = 'examples/ci/pod.yaml';

describe('kprobe ci', () => {
  it('passes a pod that starts, lives and ends well, with a row for each check', async () => {
    const { code, stdout } = await kprobe(['ci', POD, '--', 'node', 'examples/ci/server.js'], {
      cwd: folder,
    });
    expect(stdout.split('\n').map((line) => line.slice(2, 36).trim())).toEqual([
      '✓  the manifest is valid',
      '✓  all containers run',
      '✓  startup within its budget',
      '✓  ready',
      '✓  alive and ready until stable',
      '✓  shutdown within the grace perio',
      '✓  no request lost in the shutdown',
      '',
    ]);
    expect(code).toBe(0);
  });

  it('fails a server that drops requests on TERM', async () => {
    const args = ['ci', POD, '--report', 'github=-', '-v'];
    const { code, stdout } = await kprobe([...args, '--', 'node', 'abrupt.mjs'], { cwd: folder });
    expect(stdout).toMatch(/✗ {2}no request lost in the shutdown +\d+ answered, [1-9]\d* lost/);
    expect(stdout).toMatch(
      /::error file=examples\/ci\/pod\.yaml,line=6,col=\d+,title=kprobe ci::no request lost/,
    );
    expect(code).toBe(1);
  });

  it('fails a server that ignores TERM', async () => {
    const args = ['ci', POD, '--report', 'junit=kprobe.xml'];
    const { code, stdout } = await kprobe([...args, '--', 'node', 'deaf.mjs'], { cwd: folder });
    const [, seconds] =
      /✗ {2}shutdown within the grace period +app was killed after (\d+\.\d) s/.exec(stdout) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(5);
    expect(readFileSync(join(folder, 'kprobe.xml'), 'utf8')).toContain(
      '<failure message="app was killed',
    );
    expect(code).toBe(1);
  });

  it('compares with the last good run, and keeps that when a margin is too small', async () => {
    const baseline = ['--baseline', 'baseline.json', '--write-baseline'];
    const args = ['ci', POD, ...baseline, '--min-margin', '50%'];
    const first = await kprobe([...args, '--starts', '2', '--', 'node', 'examples/ci/server.js'], {
      cwd: folder,
    });
    expect(first.stdout).toMatch(/✓ {2}margin of app startup +startup took .* of 10 s in 2 starts/);
    expect(first.code).toBe(0);
    const written = readFileSync(join(folder, 'baseline.json'), 'utf8');
    const slow = await kprobe([...args, '--', 'node', 'slow.mjs'], { cwd: folder });
    expect(slow.stdout).toMatch(
      /✗ {2}margin of app startup +startup took [6-9]\.\d s of 10 s \(.* before\): \d+ % left, less than 50 %/,
    );
    expect(slow.code).toBe(1);
    expect(readFileSync(join(folder, 'baseline.json'), 'utf8')).toBe(written);
  });

  it.each([
    ['--write-baseline', '--write-baseline needs --baseline'],
    ['--baseline=none.json', 'none.json: there is no such file; --write-baseline writes it'],
    ['--baseline=bad.yaml', 'bad.yaml: is not JSON'],
    ['--min-margin=x', 'Write a share such as "2%"'],
    ['--starts=0', 'Write a whole number from 1'],
  ])('refuses %s before it starts anything', async (option, message) => {
    const { code, stderr } = await kprobe(['ci', POD, option, '--', 'true'], { cwd: folder });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it('needs something to run', async () => {
    const { code, stderr } = await kprobe(['ci', POD], { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toContain('a command after --, --start, or --create');
  });
});

function shell(script: string, env: Readonly<Record<string, string>> = {}) {
  const path = `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`;
  return spawnSync('bash', ['-e', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env, PATH: path },
  });
}

function readYaml(path: string): Record<string, unknown> {
  return load(readFileSync(join(ROOT, path), 'utf8')) as Record<string, unknown>;
}

describe("the GitHub action's step", () => {
  const { runs } = readYaml('action.yml') as { runs: { steps: { run: string }[] } };
  const step = (manifest: string, command: string, inputs: Record<string, string> = {}) =>
    shell(runs.steps[0]?.run ?? '', {
      ...inputs,
      KPROBE_ACTION_MANIFEST: manifest,
      KPROBE_ACTION_COMMAND: command,
      KPROBE_ACTION_ARGS: '--strict',
      KPROBE_ACTION_REPORT: 'report',
      GITHUB_ACTION_PATH: ROOT,
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
    });

  it.each([
    'node examples/ci/server.js',
    'SOME=thing node examples/ci/server.js',
    'cd examples/ci && node server.js',
  ])('passes a good pod that runs as %s, with a summary', (command) => {
    const { status } = step(POD, command);
    expect(status).toBe(0);
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain(
      '## ✅ kprobe ci: all checks passed',
    );
    expect(readFileSync(join(folder, 'report/report.html'), 'utf8')).toContain('<h3>Checks</h3>');
  });

  it('has inputs for the margins, whose failure writes no baseline', () => {
    const { status, stdout } = step(POD, 'node examples/ci/server.js', {
      KPROBE_ACTION_STARTS: '1',
      KPROBE_ACTION_BASELINE: 'kept baseline.json',
      KPROBE_ACTION_WRITE_BASELINE: 'true',
      KPROBE_ACTION_MIN_MARGIN: '99%',
    });
    expect(stdout).toMatch(
      /^::error file=examples\/ci\/pod\.yaml,line=11,col=\d+,title=kprobe ci::default\/web: startup took/m,
    );
    expect([status, existsSync(join(folder, 'kept baseline.json'))]).toEqual([1, false]);
  });

  it('fails a bad probe, with an annotation at its line and a summary', () => {
    const { status, stdout } = step('bad.yaml', 'node examples/ci/server.js');
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^::error file=bad\.yaml,line=12,col=\d+,title=kprobe ci::default\/web: app killed 1 ×/m,
    );
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain(
      '## ❌ kprobe ci: startup within its budget',
    );
  });
});

describe('a manifest that the API server would reject', () => {
  it('is annotated at its line, and summed up', async () => {
    const reports = ['--report', 'github=annotations', '--report', 'markdown=invalid.md'];
    const { code } = await kprobe(['ci', 'invalid.yaml', ...reports, '--', 'true'], {
      cwd: folder,
    });
    expect(code).toBe(2);
    expect(readFileSync(join(folder, 'annotations'), 'utf8')).toMatch(
      /^::error file=invalid\.yaml,line=13,col=\d+,title=kprobe ci/,
    );
    expect(readFileSync(join(folder, 'invalid.md'), 'utf8')).toContain('the manifest is not valid');
  });
});

describe('the snippets of examples/ci', () => {
  it("run: GitLab's script", () => {
    const { kprobe: job } = readYaml('examples/ci/gitlab-ci.yaml') as {
      kprobe: { script: string[] };
    };
    const { status } = shell(job.script.join('\n'));
    expect(status).toBe(0);
    expect(readFileSync(join(folder, 'kprobe.xml'), 'utf8')).toContain(
      '<testsuites name="kprobe ci"',
    );
  });

  it('run: the Makefile', () => {
    const { stdout, status } = shell(
      readFileSync(join(ROOT, 'examples/ci/Makefile'), 'utf8')
        .match(/^\t.*$/gm)
        ?.join('\n') ?? '',
    );
    expect(stdout).toContain('✓  no request lost');
    expect(status).toBe(0);
  });

  it('name a hook and an action that are there', () => {
    const hooks = load(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8')) as {
      id: string;
      entry: string;
    }[];
    const { repos } = readYaml('examples/ci/pre-commit-config.yaml') as {
      repos: { hooks: { id: string }[] }[];
    };
    expect(hooks.map(({ id }) => id)).toContain(repos[0]?.hooks[0]?.id);
    writeFileSync(join(folder, 'package.json'), '{"name": "web"}');
    for (const files of [POD, 'package.json', `package.json ${POD}`]) {
      expect(shell(`npx ${hooks[0]?.entry ?? ''} ${files}`).status).toBe(0);
    }
    const { jobs } = readYaml('examples/ci/github-workflow.yaml') as {
      jobs: { kprobe: { steps: { with?: Record<string, string> }[] } };
    };
    const inputs = Object.keys(readYaml('action.yml')['inputs'] as object);
    expect(inputs).toEqual(expect.arrayContaining(Object.keys(jobs.kprobe.steps[1]?.with ?? {})));
  });
});

it('kprobe ci has the options that hints name', async () => {
  const { stdout } = await kprobe(['ci', '--help']);
  for (const option of ['--allow-shared-port', '--no-validate', '--allow-host', '--replace']) {
    expect(stdout).toContain(option);
  }
});

describe('two Deployments with a container of one name', () => {
  const DEPLOYMENT = (name: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers: [{ name: app, image: x }]
`;

  it.each([
    ['app', 2, 'name the pod too, web/app'],
    ['web/app', 0, ''],
  ])('-c %s ends with %i', async (name, exitCode, message) => {
    const file = join(folder, 'two.yaml');
    writeFileSync(file, `${DEPLOYMENT('web')}---\n${DEPLOYMENT('api')}`);
    const args = ['run', file, '-c', name, '--until', 'started', '--', 'sleep', '20'];
    const { code, stderr } = await kprobe(args);
    expect([code, stderr]).toEqual([exitCode, expect.stringContaining(message)]);
  });
});
