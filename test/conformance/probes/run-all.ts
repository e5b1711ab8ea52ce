import type { CaseFile, CaseSpec } from '../../helpers/servers/case-file.js';
import { type Difference, differences, type Expected } from './expected.js';
import { observe } from './observe.js';

export interface CaseVerdict {
  readonly id: string;
  readonly differs: readonly Difference[];
}

/** How often what differs is made again, alone: a busy machine makes what is fast slow. */
const AGAIN = 3;
/** By what the timeout of an attempt that is made again is multiplied, where a fast answer is expected. */
const MORE_TIME = 4;

/** Makes the attempts of all cases, and alone and again those that differ. */
export async function runAll(
  file: CaseFile,
  expected: ReadonlyMap<string, Expected>,
  atOnce: number,
  kubeletVersion?: string,
): Promise<CaseVerdict[]> {
  let verdicts = await runTogether(file, expected, atOnce, kubeletVersion);
  for (let round = 0; round < AGAIN; round++) {
    const differing = verdicts.filter((each) => !agrees(each)).map(({ id }) => id);
    const cases = file.cases
      .filter(({ id }) => differing.includes(id))
      .map((spec) => (mayHaveMoreTime(expected.get(spec.id)) ? withMoreTime(spec) : spec));
    const again = await runTogether({ ...file, cases }, expected, 1, kubeletVersion);
    verdicts = [...verdicts.filter(agrees), ...again];
  }
  return verdicts;
}

/** A fast answer may come later on a busy machine, unless the expected text names the timeout. */
function mayHaveMoreTime(want: Expected | undefined): boolean {
  return want?.elapsedClass === 'fast' && !/ within \d+s/.test(want.output ?? '');
}

function withMoreTime(spec: CaseSpec): CaseSpec {
  const timeoutSeconds = (spec.probe.timeoutSeconds || 1) * MORE_TIME;
  return { ...spec, probe: { ...spec.probe, timeoutSeconds } };
}

export function agrees({ differs }: CaseVerdict): boolean {
  return differs.length === 0;
}

/** Makes the attempts of all cases, several at a time, but one at a server. */
async function runTogether(
  file: CaseFile,
  expected: ReadonlyMap<string, Expected>,
  atOnce: number,
  kubeletVersion?: string,
): Promise<CaseVerdict[]> {
  const verdicts: CaseVerdict[] = [];
  const busy = new Set<string>();
  const todo = [...file.cases];
  const running = new Set<Promise<void>>();
  const isFree = ({ id }: CaseSpec): boolean =>
    (file.refs.get(id) ?? []).every((server) => !busy.has(server));
  while (todo.length > 0 || running.size > 0) {
    const next = running.size < atOnce ? todo.findIndex(isFree) : -1;
    const spec = todo[next];
    if (!spec) {
      await Promise.race(running);
      continue;
    }
    todo.splice(next, 1);
    const servers = file.refs.get(spec.id) ?? [];
    for (const server of servers) busy.add(server);
    const run = verdictOn(file, spec, expected, kubeletVersion).then((verdict) => {
      verdicts.push(verdict);
      for (const server of servers) busy.delete(server);
      running.delete(run);
    });
    running.add(run);
  }
  return verdicts;
}

async function verdictOn(
  file: CaseFile,
  spec: CaseSpec,
  expected: ReadonlyMap<string, Expected>,
  kubeletVersion?: string,
): Promise<CaseVerdict> {
  const want = expected.get(spec.id);
  if (!want) throw new Error(`nothing is expected of ${spec.id}`);
  return { id: spec.id, differs: differences(want, await observe(file, spec, kubeletVersion)) };
}
