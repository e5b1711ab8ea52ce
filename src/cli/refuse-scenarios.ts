import type { ManifestSource } from '../manifest/source-file.js';
import { looksLikeScenario } from '../sim/scenario-file.js';
import { shownPath } from './file-error.js';
import { UsageError } from './usage-error.js';

/**
 * Says of a scenario where it belongs; asked when a manifest could not be loaded.
 *
 * @throws UsageError when one of the files is a scenario
 */
export function refuseScenarios(sources: readonly ManifestSource[]): void {
  const scenario = sources.find(looksLikeScenario);
  if (scenario === undefined) return;
  throw new UsageError(
    `${shownPath(scenario.file)}: is a scenario, and no manifest: kprobe simulate runs it`,
  );
}
