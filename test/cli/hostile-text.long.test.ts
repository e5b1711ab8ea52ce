import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { inProcess } from '../helpers/in-process.js';
import { expectNoRawBytes } from '../helpers/raw-bytes.js';

/** OSC 52 writes the clipboard, C1 has one-byte sequences, bidi overrides reorder, tags and zero widths hide. */
const HOSTILE = 'x\u001b]52;c;YQ==\u0007\u009b31m\u202e\u2066\u200b\u{e0041}\u2028\u007f';

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));

type Tree = Record<string, unknown>;

/** Yields a copy of an object for each text and each key in it, with hostile text there; `all` has it in each text. */
function* variants(object: Tree): Generator<readonly [place: string, object: Tree]> {
  const places: (readonly string[])[] = [];
  const visit = (node: unknown, path: readonly string[]): void => {
    if (typeof node === 'string') places.push(path);
    else if (typeof node === 'object' && node !== null) {
      for (const [key, value] of Object.entries(node)) visit(value, [...path, key]);
    }
  };
  visit(object, []);
  const change = (copy: Tree, path: readonly string[], isKey: boolean): void => {
    let holder = copy;
    for (const step of path.slice(0, -1)) holder = holder[step] as Tree;
    const key = path.at(-1) ?? '';
    if (!isKey) holder[key] = `${String(holder[key])}${HOSTILE}`;
    else if (!Array.isArray(holder)) holder[`${key}${HOSTILE}`] = holder[key];
  };
  for (const isKey of [false, true]) {
    for (const path of places) {
      const copy = structuredClone(object);
      change(copy, path, isKey);
      yield [`${path.join('.')}${isKey ? ' (key)' : ''}`, copy];
    }
  }
  const all = structuredClone(object);
  for (const path of places) change(all, path, false);
  yield ['all', all];
}

const CONTAINER = {
  name: 'app',
  image: 'web:1',
  command: ['serve', '--token=abcdefgh'],
  workingDir: '/srv',
  env: [
    { name: 'A', value: 'b' },
    { name: 'S', valueFrom: { secretKeyRef: { name: 'db', key: 'k' } } },
  ],
  ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
  readinessProbe: {
    httpGet: {
      path: '/ready',
      port: 'http',
      scheme: 'HTTP',
      httpHeaders: [{ name: 'X-A', value: 'b' }],
    },
    timeoutSeconds: 30,
    periodSeconds: 5,
  },
  livenessProbe: { exec: { command: ['check', 'me'] } },
  startupProbe: { grpc: { port: 8080, service: 'web' } },
  lifecycle: { preStop: { exec: { command: ['stop'] } } },
  volumeMounts: [{ name: 'data', mountPath: '/data' }],
  resources: { limits: { memory: '1Gi' } },
};

const OBJECTS: Readonly<Record<string, Tree>> = {
  Pod: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web',
      namespace: 'shop',
      labels: { app: 'web' },
      annotations: { note: 'a' },
    },
    spec: {
      restartPolicy: 'Always',
      nodeSelector: { disk: 'ssd' },
      containers: [CONTAINER],
      volumes: [{ name: 'data', emptyDir: { medium: 'Memory' } }],
      readinessGates: [{ conditionType: 'example.com/gate' }],
    },
  },
  Deployment: {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [CONTAINER] } },
    },
  },
  'an unknown kind': {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w' },
    spec: { size: 'large' },
  },
};

const COMMANDS: readonly (readonly string[])[] = [
  ...['text', 'json', 'github', 'sarif', 'junit'].map((output) => ['lint', '-o', output, 'FILE']),
  ...['text', 'json', 'github', 'sarif', 'junit'].map((output) => [
    'validate',
    '-o',
    output,
    'FILE',
  ]),
  ['validate', '--strict-kinds', 'FILE'],
  ['lint', '--diff', 'FILE'],
  ['explain', '--no-validate', 'FILE'],
  ['explain', '--long', '-o', 'json', 'FILE'],
  ['explain', '-o', 'svg', '--no-validate', 'FILE'],
  ['simulate', '--no-validate', '--for', '20s', 'FILE'],
  ['simulate', '--no-validate', '--for', '20s', '-o', 'lines', '-v', 'FILE'],
  ['simulate', '--no-validate', '--for', '20s', '-o', 'json', 'FILE'],
  ['simulate', '--no-validate', '--for', '20s', '-o', 'yaml', 'FILE'],
  ['diff', 'FILE', 'PLAIN'],
  ['diff', '-o', 'json', 'PLAIN', 'FILE'],
  ['rollout', '--no-validate', '--for', '1m', 'FILE'],
  ['doctor', '--secrets', 'FILE'],
  ['once', 'FILE', '-c', 'none'],
  ['run', 'FILE', '-c', 'none'],
];

describe.each(Object.entries(OBJECTS))('hostile text anywhere in %s', (kind, object) => {
  it.each(COMMANDS.map((command) => [command.join(' '), command] as const))(
    'is printed raw by no %s',
    async (_, command) => {
      const plain = join(folder, 'plain.json');
      const file = join(folder, 'hostile.json');
      writeFileSync(plain, JSON.stringify(object));
      for (const [place, hostile] of variants(object)) {
        writeFileSync(file, JSON.stringify(hostile));
        const args = command.map((arg) => arg.replace('FILE', file).replace('PLAIN', plain));
        const { code, stdout, stderr } = await inProcess(args);
        expect([place, code]).toEqual([place, expect.toSatisfy((each) => Number(each) <= 3)]);
        expectNoRawBytes(`${place} of ${kind}: standard output`, stdout);
        expectNoRawBytes(`${place} of ${kind}: standard error`, stderr);
      }
    },
  );
});

describe('hostile text anywhere in a kubeconfig', () => {
  const CONFIG = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u', namespace: 'shop' } }],
    clusters: [
      {
        name: 'c',
        cluster: {
          server: 'http://127.0.0.1:9',
          'tls-server-name': 'n',
          'proxy-url': 'http://127.0.0.1:9',
        },
      },
    ],
    users: [
      {
        name: 'u',
        user: {
          exec: {
            apiVersion: 'client.authentication.k8s.io/v1',
            command: './none',
            args: ['a'],
            env: [{ name: 'A', value: 'b' }],
            installHint: 'install it',
          },
        },
      },
    ],
  };

  it.each([
    ['watch', 'web', '--timeout', '2s'],
    ['lint', '--kube', 'deploy/web'],
    ['once', '--kube', 'web', '--timeout', '2s'],
    ['doctor'],
  ])('is printed raw by no %s %s', async (...command) => {
    const file = join(folder, 'kubeconfig');
    for (const [place, hostile] of variants(CONFIG)) {
      writeFileSync(file, JSON.stringify(hostile));
      const { code, stdout, stderr } = await inProcess(command, { env: { KUBECONFIG: file } });
      expect([place, code <= 3 || code === 124]).toEqual([place, true]);
      expectNoRawBytes(`${place}: standard output`, stdout);
      expectNoRawBytes(`${place}: standard error`, stderr);
    }
  });
});

describe('hostile text anywhere in a recording', () => {
  it('is printed raw by no replay, report or suggestion', async () => {
    const scenario = join(folder, 'pod.json');
    writeFileSync(scenario, JSON.stringify(OBJECTS['Pod']));
    const args = [
      'simulate',
      '--for',
      '40s',
      '--fail-rate',
      '30%',
      '-o',
      'json',
      scenario,
      '--no-validate',
    ];
    const { stdout } = await inProcess(args);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Tree);
    const kinds = [...new Set(lines.map(({ kind }) => kind))];
    expect(kinds.length).toBeGreaterThan(8);
    const path = join(folder, 'hostile.ndjson');
    for (const kind of kinds) {
      const index = lines.findIndex((line) => line['kind'] === kind);
      for (const [place, line] of variants(lines[index] ?? {})) {
        if (!place.endsWith('all') && kind === 'status' && !place.includes('onditions')) continue;
        const changed = lines.with(index, { ...line, kind });
        writeFileSync(path, changed.map((each) => `${JSON.stringify(each)}\n`).join(''));
        const files = ['html', 'junit', 'markdown', 'tap', 'github'].map(
          (name) => [name, join(folder, `R.${name}`)] as const,
        );
        const reports = files.flatMap(([name, file]) => ['--report', `${name}=${file}`]);
        for (const command of [
          [
            'replay',
            path,
            '--partial',
            '-o',
            'lines',
            '-v',
            '--logs',
            ...(place === 'all' ? reports : []),
          ],
          ['replay', path, '--partial', '-o', 'yaml'],
          ['suggest', path, '--partial'],
        ]) {
          const found = await inProcess(command);
          expectNoRawBytes(`${String(kind)} ${place}: standard output`, found.stdout);
          expectNoRawBytes(`${String(kind)} ${place}: standard error`, found.stderr);
        }
        if (place !== 'all') continue;
        for (const [, file] of files) {
          expectNoRawBytes(`${String(kind)} ${place}: ${file}`, readFileSync(file, 'utf8'));
          writeFileSync(file, '');
        }
      }
    }
  });
});
