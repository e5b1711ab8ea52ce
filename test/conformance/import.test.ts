import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { parseDuration } from '../../src/go/duration.js';
import { SourceFile } from '../../src/manifest/documents/source-file.js';
import { importCompose } from '../../src/manifest/import/compose.js';
import { HEALTHCHECK_DEFAULTS } from '../../src/manifest/import/healthcheck.js';
import { parsePorts } from '../../src/manifest/import/imported-ports.js';
import { type Variables, withDotenv } from '../../src/manifest/import/interpolate.js';

/** A compose file and what compose-go v2.16.2, which `docker compose config` reads with, makes of it. */
interface Case {
  readonly title: string;
  /** The file of compose-go, or of another project, with the rule. */
  readonly rule: string;
  readonly text: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly dotenv?: string;
  /** compose-go reads it, and `docker compose up` or the engine refuses it. */
  readonly refused?: true;
  readonly expected: Readonly<Record<string, ReadService>> | { readonly error: string };
}

interface ReadService {
  readonly image?: string;
  readonly ports?: readonly string[];
  readonly expose?: readonly string[];
  readonly healthcheck?: Readonly<Record<string, unknown>> & {
    readonly test?: readonly string[];
    readonly disable?: true;
    readonly retries?: number;
  };
}

const cases = readFileSync(new URL('./import/compose-go.ndjson', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Case);

test.each(cases)('$title is read as by compose-go ($rule)', (each) => {
  const { env = {}, dotenv, text, expected, refused } = each;
  let variables: Variables = (name) => env[name];
  if (dotenv !== undefined) {
    const file = new SourceFile({ file: '.env', text: dotenv });
    variables = withDotenv(file, variables);
    if (file.hasErrors()) {
      expect(expected).toHaveProperty('error');
      expect(file.diagnostics()[0]).toMatchObject({ line: expect.any(Number) as number });
      return;
    }
  }
  const { containers, diagnostics } = importCompose({ file: 'compose.yaml', text }, variables);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if ('error' in expected || refused) {
    expect(errors[0]).toMatchObject({ file: 'compose.yaml', line: expect.any(Number) as number });
    return;
  }
  expect(errors).toEqual([]);
  const services = Object.entries(expected).map(([name, service]) => imported(name, service));
  expect(containers.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(services);
});

function imported(
  name: string,
  { image = name, ports = [], expose = [], healthcheck }: ReadService,
) {
  const opened = new Map(
    [...ports, ...expose].flatMap((port) =>
      (parsePorts(port) ?? []).map((each) => [JSON.stringify(each), each]),
    ),
  );
  return {
    name,
    image,
    ports: [...opened.values()],
    healthcheck: healthcheck && checkOf(healthcheck),
  };
}

/** The engine's defaults also stand for zero (moby, daemon/health.go). */
function checkOf(read: NonNullable<ReadService['healthcheck']>) {
  if (read.disable) return { ...HEALTHCHECK_DEFAULTS, test: ['NONE'] };
  if (read.test === undefined) return undefined;
  const time = (field: string): number =>
    parseDuration((read[field] as string | undefined) ?? '0') ?? Number.NaN;
  return {
    test: read.test,
    interval: time('interval') || HEALTHCHECK_DEFAULTS.interval,
    timeout: time('timeout') || HEALTHCHECK_DEFAULTS.timeout,
    startPeriod: time('start_period'),
    startInterval: time('start_interval') || HEALTHCHECK_DEFAULTS.startInterval,
    retries: read.retries || HEALTHCHECK_DEFAULTS.retries,
  };
}
