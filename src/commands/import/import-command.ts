import { basename, dirname, join, resolve } from 'node:path';

import type { Command } from '@commander-js/extra-typings';

import { EXIT } from '../../cli/shared/exit-code.js';
import { isFile } from '../../cli/shared/file-errors.js';
import {
  awaitAnswer,
  type CommandInput,
  type Io,
  outputStream,
  write,
} from '../../cli/shared/io.js';
import { collect } from '../../cli/shared/option-values.js';
import { withShared } from '../../cli/shared/options.js';
import { readSource, readSources, STDIN } from '../../cli/shared/read-sources.js';
import { RealClock } from '../../clock/real-clock.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import { type ManifestSource, SourceFile } from '../../manifest/documents/source-file.js';
import { importCompose, type ImportedCompose } from '../../manifest/import/compose.js';
import { importDockerfile, isDockerfile } from '../../manifest/import/dockerfile.js';
import { withDefaults } from '../../manifest/import/healthcheck.js';
import {
  type ImportedContainer,
  importedManifest,
} from '../../manifest/import/imported-manifest.js';
import { parsePorts, uniquePorts } from '../../manifest/import/imported-ports.js';
import { type Variables, withDotenv } from '../../manifest/import/interpolate.js';
import { formatDiagnostics } from '../../report/format-diagnostic.js';
import { connectEngine } from '../../runtime/container/connect-engine.js';
import { noSuchContainer } from '../../runtime/container/engine.js';
import { type EngineName, engineWords } from '../../runtime/container/engine-kind.js';
import type { Inspected } from '../../runtime/container/inspect.js';
import { UsageError } from '../../usage-error.js';

export function options(program: Command) {
  const command = program
    .command('import')
    .description(
      'Write a pod manifest with probes that correspond to the HEALTHCHECK of containers, of a Dockerfile, or of the services of a compose file, with the variables of the environment and of .env beside it. Comments list what probes cannot express.',
    )
    .argument('[files...]', 'compose files and Dockerfiles; - is standard input');
  const named = withShared(command, 'filename').option(
    '--docker <name>',
    'a container of docker (or of --runtime)',
    collect,
  );
  return withShared(named, 'runtime');
}

type ImportFlags = ReturnType<ReturnType<typeof options>['opts']>;

export async function command(
  { paths, flags: { docker = [], runtime = 'docker' } }: CommandInput<ImportFlags>,
  io: Io,
): Promise<number> {
  if (paths.length + docker.length === 0) {
    throw new UsageError(
      'nothing to import: name a compose file or a Dockerfile, or a container with --docker',
    );
  }
  const sources = await readSources(paths, io, { accepts: () => true });
  const composed = [];
  for (const source of sources) {
    const name = basename(dirname(resolve(io.cwd, source.file)));
    const isBuilt = isDockerfile(source);
    composed.push(isBuilt ? importDockerfile(source, name) : await composeFile(source, io));
  }
  const diagnostics = composed.flatMap((each) => each.diagnostics);
  await write(io.stderr, formatDiagnostics(diagnostics));
  if (hasErrors(diagnostics)) return EXIT.usage;
  const found = await importContainers(io, runtime, docker);
  const containers = [...composed.flatMap((each) => each.containers), ...found];
  const probed = containers.filter(({ healthcheck }) => healthcheck !== undefined);
  const text = importedManifest(probed.length > 0 ? probed : containers);
  await write(outputStream(io, 'document'), text);
  return EXIT.success;
}

/** Reads a compose file with the variables of the environment, and of the `.env` file beside it. */
async function composeFile(source: ManifestSource, io: Io): Promise<ImportedCompose> {
  const folder = source.file === STDIN ? '' : dirname(source.file);
  const path = join(folder, '.env');
  const environment: Variables = (name) => (Object.hasOwn(io.env, name) ? io.env[name] : undefined);
  if (!isFile(path)) return importCompose(source, environment);
  const file = new SourceFile(await readSource(path, io));
  const variables = withDotenv(file, environment);
  if (file.hasErrors()) return { containers: [], diagnostics: file.diagnostics() };
  return importCompose(source, variables);
}

/** Returns the engine's containers of these names; throws a UsageError for a missing one, a RuntimeError without an engine. */
async function importContainers(
  io: Io,
  engine: EngineName,
  names: readonly string[],
): Promise<readonly ImportedContainer[]> {
  // A compose file needs no engine.
  if (names.length === 0) return [];
  return awaitAnswer(engineWords(engine, io.env), {}, io, async () => {
    const connected = await connectEngine(engine, new RealClock(), io.host);
    const seen = await connected.inspect(names);
    const missing = names.filter(
      (name) => !seen.some((each) => each.name === name || each.id.startsWith(name)),
    );
    if (missing.length > 0) throw new UsageError(await noSuchContainer(connected, missing));
    return seen.map(imported);
  });
}

function imported({ name, image, exposed, published, healthcheck }: Inspected): ImportedContainer {
  const opened = published.map(({ containerPort, protocol }) => `${containerPort}/${protocol}`);
  const ports = uniquePorts([...exposed, ...opened].flatMap((port) => parsePorts(port) ?? []));
  return { name, image, ports, healthcheck: healthcheck && withDefaults(healthcheck) };
}
