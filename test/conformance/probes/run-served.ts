import { withPorts } from '../../helpers/servers/case-file.js';
import { startOracleServers } from '../../helpers/servers/oracle-servers.js';
import { differences, type Expected, type Field } from './expected.js';
import { normalizedRun } from './observe.js';
import { agrees, type CaseVerdict } from './run-all.js';
import { runCase } from './run-case.js';

/** What the oracle's servers alone could tell. */
const OF_SERVERS = new Set<Field>(['attempts', 'requests', 'elapsedClass']);

export interface ServedFile {
  readonly path: string;
  readonly text: string;
  readonly expected: ReadonlyMap<string, Expected>;
}

/** Makes the attempts of all cases of a file against the servers that the probe oracle plays, and alone and again those that differ. */
export async function runServed(
  oracle: string,
  file: ServedFile,
  atOnce: number,
): Promise<CaseVerdict[]> {
  const first = await runAtOnce(oracle, file, () => true, atOnce);
  const differing = new Set(first.filter((each) => !agrees(each)).map(({ id }) => id));
  if (differing.size === 0) return first;
  const again = await runAtOnce(oracle, file, (id) => differing.has(id), 1);
  return [...first.filter(({ id }) => !differing.has(id)), ...again];
}

/** Servers answer in turns: each run has its own. */
async function runAtOnce(
  oracle: string,
  { path, text, expected }: ServedFile,
  isWanted: (id: string) => boolean,
  atOnce: number,
): Promise<CaseVerdict[]> {
  const servers = await startOracleServers(oracle, path);
  const todo = withPorts(text, servers.portOf).cases.filter(({ id }) => isWanted(id));
  const verdicts: CaseVerdict[] = [];
  const loop = async (): Promise<void> => {
    for (let spec = todo.shift(); spec; spec = todo.shift()) {
      const want = expected.get(spec.id);
      if (!want) throw new Error(`nothing is expected of ${spec.id}`);
      const run = normalizedRun(await runCase(spec), servers.normalize);
      const all = differences(want, { ...run, attempts: null, requests: [], elapsedClass: '' });
      verdicts.push({ id: spec.id, differs: all.filter(({ field }) => !OF_SERVERS.has(field)) });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  await servers.close();
  return verdicts;
}
