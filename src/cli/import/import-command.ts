import { importContainers } from '../../app/import-containers.js';
import { RealClock } from '../../clock/real-clock.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import { importCompose } from '../../manifest/import/compose.js';
import type { ImportedContainer } from '../../manifest/import/healthcheck.js';
import { importedManifest } from '../../manifest/import/imported-manifest.js';
import { formatDiagnostics } from '../../render/format-diagnostic.js';
import { escapeControl } from '../../render/text/escape.js';
import type { EngineName } from '../../runtime/container/engine-kind.js';
import { EXIT } from '../shared/exit-code.js';
import type { Io } from '../shared/io.js';
import { orAborted } from '../shared/or-interrupted.js';
import { readSources } from '../shared/read-sources.js';
import { UsageError } from '../shared/usage-error.js';

export interface ImportFlags {
  readonly docker?: readonly string[];
  readonly runtime: EngineName;
}

export interface ImportCommandEnd {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
}

/** `kprobe import`: a manifest on standard output, or why there is none. */
export async function importCommand(
  paths: readonly string[],
  { docker = [], runtime }: ImportFlags,
  io: Io,
): Promise<ImportCommandEnd> {
  if (paths.length + docker.length === 0) {
    throw new UsageError('nothing to import: name a compose file, or a container with --docker');
  }
  const composed = (await readSources(paths, io)).map(importCompose);
  const diagnostics = composed.flatMap((each) => each.diagnostics);
  const errors = formatDiagnostics(diagnostics);
  if (hasErrors(diagnostics)) return { exitCode: EXIT.usage, output: '', errors };
  const found = await orAborted(
    io.signal,
    importContainers({ clock: new RealClock(), host: io.host, engine: runtime, names: docker }),
  );
  switch (found.kind) {
    case 'missing':
      throw new UsageError(
        `no such container: ${found.name} (${runtime} ps -a lists what there is)`,
      );
    case 'unreachable':
      return {
        exitCode: EXIT.unknown,
        output: '',
        errors: `kprobe: ${escapeControl(found.message)}\n`,
      };
    case 'containers':
      return written([...composed.flatMap((each) => each.containers), ...found.containers], errors);
  }
}

function written(containers: readonly ImportedContainer[], errors: string): ImportCommandEnd {
  const probed = containers.filter(({ healthcheck }) => healthcheck !== undefined);
  const output = importedManifest(probed.length > 0 ? probed : containers);
  return { exitCode: EXIT.holds, output, errors };
}
