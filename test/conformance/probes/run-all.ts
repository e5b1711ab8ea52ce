import type { CaseFile, CaseSpec } from '../../helpers/servers/case-file.js';
import { CLASS_FIELDS, type Difference, differences, type Expected } from './expected.js';
import { observe } from './observe.js';

export interface CaseVerdict {
  readonly id: string;
  /** Result, event and retries. */
  readonly classDiffers: readonly Difference[];
  readonly textDiffers: readonly Difference[];
}

/** Makes the attempts of all cases, several at a time, but one at a server. */
export async function runAll(
  file: CaseFile,
  expected: ReadonlyMap<string, Expected>,
  atOnce: number,
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
    const run = verdictOn(file, spec, expected).then((verdict) => {
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
): Promise<CaseVerdict> {
  const want = expected.get(spec.id);
  if (!want) throw new Error(`nothing is expected of ${spec.id}`);
  const all = differences(want, await observe(file, spec));
  const isClass = ({ field }: Difference): boolean => CLASS_FIELDS.some((each) => each === field);
  return {
    id: spec.id,
    classDiffers: all.filter(isClass),
    textDiffers: all.filter((each) => !isClass(each)),
  };
}
