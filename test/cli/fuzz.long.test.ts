import { readFileSync } from 'node:fs';
import { cpuUsage } from 'node:process';

import { describe, expect, it } from 'vitest';

import { jsonOutput } from '../../src/cli/shared/io.js';
import { explain } from '../../src/commands/explain/explain.js';
import { explainSvg } from '../../src/commands/explain/explain-chart.js';
import { explainLines } from '../../src/commands/explain/explain-text.js';
import { suggestFor } from '../../src/commands/suggest/suggest-pods.js';
import { patches, suggestText } from '../../src/commands/suggest/suggest-text.js';
import { dumpYaml } from '../../src/manifest/documents/dump-yaml.js';
import { loadManifest } from '../../src/manifest/pods/load-manifest.js';
import { Lines } from '../../src/report/lines/lines.js';
import { EMPTY_BEHAVIOR, podScenario } from '../../src/sim/pod-scenario.js';
import { whatIf } from '../../src/sim/recorded/what-if.js';
import { simulateScenarios } from '../../src/sim/simulate-scenarios.js';
import { paintLines } from '../../src/text/paint.js';
import { readTrace } from '../../src/trace/read-trace.js';
import { fc, RUNS_FACTOR } from '../helpers/property.js';

/** CPU time in milliseconds, which does not depend on the load of the machine. */
const LONGEST = 5000;
/** Milliseconds of all inputs together, on a busy machine. */
const LIMIT = 60_000 * Math.max(10, RUNS_FACTOR);
const MANIFESTS = 60 * RUNS_FACTOR;
const RECORDINGS = 20 * RUNS_FACTOR;

async function timed<T>(what: string, act: () => T | Promise<T>): Promise<T> {
  const before = cpuUsage();
  const result = await act();
  const { user } = cpuUsage(before);
  if (user / 1000 > LONGEST) throw new Error(`${what} took ${(user / 1000).toFixed(0)} ms`);
  return result;
}

/** Throws when the text contains control or bidi characters. */
function expectClean(what: string, text: string): void {
  const raw =
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.exec(
      text,
    );
  if (raw)
    throw new Error(
      `${what} has ${JSON.stringify(raw[0])} in ${JSON.stringify(text.slice(Math.max(0, raw.index - 40), raw.index + 40))}`,
    );
}

const seldom = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });
const seconds = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 30 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 1, 3600, 86_400, 2 ** 31 - 1) },
);
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('true', '/healthz', 'x'.repeat(300)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('a\u001b[2Jb', 'a\u202eb', '\u0007', '\u0085', 'a\nb', '<b>"&', ''),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
);
const port = fc.oneof(fc.integer({ min: 1, max: 65_535 }), fc.constant('http'));
const handler = fc.oneof(
  fc.record({ exec: fc.record({ command: fc.array(text, { minLength: 1, maxLength: 3 }) }) }),
  fc.record({ httpGet: fc.record({ port, path: text }) }),
  fc.record({ tcpSocket: fc.record({ port }) }),
  fc.record({ grpc: fc.record({ port: fc.integer({ min: 1, max: 65_535 }), service: text }) }),
);
const settings = fc.record(
  {
    periodSeconds: seconds,
    timeoutSeconds: seconds,
    initialDelaySeconds: seconds,
    failureThreshold: seconds,
  },
  { requiredKeys: [] },
);
const probe = fc.tuple(handler, settings).map(([how, when]) => ({ ...how, ...when }));
const container = (name: string) =>
  fc.record({
    name: fc.constant(name),
    image: fc.constant('web:1'),
    command: seldom(fc.array(text, { maxLength: 3 })),
    ports: fc.constant([{ name: 'http', containerPort: 8080 }]),
    env: seldom(
      fc.array(fc.record({ name: fc.constantFrom('A', 'TOKEN'), value: text }), { maxLength: 2 }),
    ),
    startupProbe: seldom(probe),
    readinessProbe: seldom(probe),
    livenessProbe: seldom(probe),
    lifecycle: seldom(
      fc.record({ preStop: fc.oneof(handler, fc.record({ sleep: fc.record({ seconds }) })) }),
    ),
  });
const sidecar = container('side').map((each) => ({ ...each, restartPolicy: 'Always' }));
const init = container('init').map(({ name, image, command }) => ({ name, image, command }));
const pod = fc
  .record({
    containers: fc
      .tuple(container('app'), seldom(container('other')))
      .map((list) => list.filter((one) => one !== undefined)),
    initContainers: seldom(fc.array(fc.oneof(sidecar, init), { maxLength: 1 })),
    restartPolicy: fc.constantFrom('Always', 'Always', 'OnFailure', 'Never'),
    terminationGracePeriodSeconds: seldom(seconds),
    activeDeadlineSeconds: seldom(seconds),
  })
  .map((spec) => {
    const whole = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec };
    return JSON.parse(JSON.stringify(whole)) as object;
  });

describe('a valid or nearly valid manifest', () => {
  it(
    'is explained and simulated with clean output and finite SVG',
    async () => {
      let loaded = 0;
      const property = fc.asyncProperty(pod, async (object) => {
        const source = { file: 'pod.yaml', text: dumpYaml(object) };
        expectClean('YAML', source.text);
        const { pods } = loadManifest([source]);
        const [first] = pods;
        if (first === undefined) return;
        loaded++;
        const explained = await timed('explain', () => explain(pods));
        const svg = await timed('SVG', () => explainSvg(explained));
        expectClean('SVG', svg);
        expect(svg).not.toMatch(/NaN|Infinity|undefined/);
        JSON.parse(jsonOutput({ pods: explained }));
        const look = { theme: { color: false, unicode: true }, plain: true } as const;
        for (const one of explained) {
          for (const line of paintLines(explainLines(one, 80), look).split('\n')) {
            expectClean('text', line);
          }
        }
        const said = { ...EMPTY_BEHAVIOR, diesAfter: [{ value: { from: 20_000, to: 30_000 } }] };
        const { scenario } = podScenario(first.pod, said, { until: 120_000 });
        const printed: string[] = [];
        const lines = new Lines((part) => printed.push(part), { verbose: true, output: true });
        await timed('simulate', () =>
          simulateScenarios([scenario], (line, summary) => lines.line(line, summary)),
        );
        expectClean('lines', printed.join(''));
      });
      await fc.assert(property, { numRuns: MANIFESTS });
      expect(loaded).toBeGreaterThan(MANIFESTS / 4);
    },
    LIMIT,
  );
});

describe('a damaged recording', () => {
  const RECORDED = readFileSync(
    new URL('../../examples/record-replay/run.ndjson', import.meta.url),
    'utf8',
  )
    .trimEnd()
    .split('\n');
  const at = fc.nat(RECORDED.length - 1);
  const wild = fc.constantFrom(
    '0',
    '-1',
    '1e9',
    '0.001',
    '3600',
    '"x\\u001b[2J\\u202e"',
    'null',
    '99999999',
  );
  const change = fc.oneof(
    at.map((line) => (lines: string[]) => lines.splice(Math.max(1, line), 1)),
    fc.tuple(at, at).map(
      ([from, to]) =>
        (lines: string[]) =>
          lines.splice(Math.max(1, to), 0, lines[from] ?? ''),
    ),
    fc.tuple(at, fc.nat(12), wild).map(([line, nth, value]) => (lines: string[]) => {
      let seen = 0;
      lines[line] = (lines[line] ?? '').replace(/:(-?[\d.]+|"[^"]*")/g, (all) =>
        seen++ === nth ? `:${value}` : all,
      );
    }),
  );

  it(
    'is replayed and used for suggestions, or rejected',
    async () => {
      let read = 0;
      const property = fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 4 }),
        async (changes) => {
          const lines = [...RECORDED];
          for (const each of changes) each(lines);
          const { trace } = readTrace(`${lines.join('\n')}\n`);
          if (trace === undefined) return;
          read++;
          await timed('replay --set', () => whatIf(trace, (each) => each));
          const { pods, simulated } = await timed('suggest', () => suggestFor(trace));
          const { before, after, unobserved } = simulated;
          expectClean('suggest', suggestText({ pods, before, after, unobserved }));
          expectClean('suggest -o yaml', patches(pods));
        },
      );
      await fc.assert(property, { numRuns: RECORDINGS });
      expect(read).toBeGreaterThan(RECORDINGS / 4);
    },
    LIMIT,
  );
});
