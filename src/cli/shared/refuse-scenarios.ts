import type { ManifestSource } from '../../manifest/source-file.js';
import { looksLikeScenario } from '../../sim/scenario-file.js';
import { shownPath } from './file-error.js';
import { TRACE_BEGIN } from './trace-begin.js';
import { UsageError } from './usage-error.js';

/**
 * Says of a scenario, and of a trace, where it belongs; asked when a manifest could not be loaded.
 *
 * @throws UsageError when one of the files is a scenario or a trace
 */
export function refuseScenarios(sources: readonly ManifestSource[]): void {
  const trace = sources.find(({ text }) => text.startsWith(TRACE_BEGIN));
  if (trace !== undefined) {
    throw new UsageError(
      `${shownPath(trace.file)}: is a trace, and no manifest: kprobe replay shows it`,
    );
  }
  const scenario = sources.find(looksLikeScenario);
  if (scenario === undefined) return;
  throw new UsageError(
    `${shownPath(scenario.file)}: is a scenario, and no manifest: kprobe simulate runs it`,
  );
}
