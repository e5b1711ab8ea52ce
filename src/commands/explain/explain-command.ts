import type { Command } from '@commander-js/extra-typings';

import { allContainers } from '../../api/index.js';
import { withKube } from '../../cli/shared/cluster-options.js';
import { EXIT } from '../../cli/shared/exit-code.js';
import { type CommandInput, type Io, jsonOutput, write } from '../../cli/shared/io.js';
import { kubeletFor } from '../../cli/shared/kubelet/kubelet-flags.js';
import { choice, KUBELET, MANIFESTS, withShared } from '../../cli/shared/options.js';
import { outputTheme, textStyle } from '../../cli/shared/output-style.js';
import { readSources, refuseOtherFiles } from '../../cli/shared/read-sources.js';
import type { Relations } from '../../cli/shared/relations.js';
import { hasErrors } from '../../manifest/diagnostic.js';
import { type LoadedManifest, loadManifest } from '../../manifest/pods/load-manifest.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';
import { similarHint } from '../../manifest/similar-name.js';
import { formatDiagnostics } from '../../report/format-diagnostic.js';
import { maskText } from '../../secrets/credential-text.js';
import { UsageError } from '../../usage-error.js';
import { explainWithRollouts } from './explain.js';
import type { ExplainedWorkload } from './explain-rollout.js';

export function options(program: Command) {
  const command = program
    .command('explain')
    .description(
      'Show when probes fire, fail and restart the container: the earliest and the latest time at which it is started, ready, not ready, killed, restarted and gone, and why. Of a Deployment, StatefulSet or DaemonSet also the result of a simulated rollout. Nothing is started.',
    )
    .usage('[options] <manifests...>')
    .argument('[manifests...]', MANIFESTS);
  const explained = withShared(command, 'filename', 'onlyContainer')
    .option(
      '--event <text>',
      'say what an event of a pod means and what to do, with the probe of the manifest if one is given',
    )
    .option('--long', 'explain each time: the reason, and the fields behind it');
  const shown = withShared(explained, 'exclude', 'noValidate', ...KUBELET).addOption(
    choice('-o, --output <format>', 'text, JSON, or a timeline as SVG (text)', [
      'text',
      'json',
      'svg',
    ]),
  );
  return withKube(withShared(shown, 'color'), 'explain this object of a cluster: deploy/web');
}

type ExplainFlags = ReturnType<ReturnType<typeof options>['opts']>;

export const relations: Relations<ExplainFlags> = { outputs: { event: ['text', 'json'] } };

export async function command({ paths, flags }: CommandInput<ExplainFlags>, io: Io) {
  if (paths.length === 0 && flags.kube === undefined) {
    if (flags.event !== undefined) return explainEvent(flags.event, [], flags, io);
    const hint = 'name a manifest or a folder, or -, or --kube, or --event';
    throw new UsageError(`nothing to explain: ${hint}`);
  }
  const sources = await readSources(paths, io, flags);
  const kubelet = await kubeletFor(sources, flags, io);
  const manifest = loadManifest(sources, { validate: flags.validate, server: kubelet });
  const { diagnostics } = manifest;
  if (hasErrors(diagnostics)) await refuseOtherFiles(sources);
  await write(io.stderr, formatDiagnostics(diagnostics));
  if (hasErrors(diagnostics)) return EXIT.usage;
  if (flags.event !== undefined) return explainEvent(flags.event, manifest.pods, flags, io);
  const explained = await explainWithRollouts(manifest.pods, sources, flags.container, kubelet);
  if (explained.length === 0) throw new UsageError(noContainer(manifest, flags));
  await write(io.stdout, await rendered(explained, flags, io));
  return EXIT.success;
}

async function explainEvent(
  event: string,
  pods: readonly LoadedPod[],
  { container, output, ...flags }: ExplainFlags,
  io: Io,
): Promise<number> {
  const { eventFacts } = await import('../../diagnosis/event-meaning.js');
  const { eventMeaning } = await import('../../diagnosis/words.js');
  const { eventText } = await import('./explain-text.js');
  const containers = pods.flatMap(({ pod }) => allContainers(pod.spec));
  const selected = containers.filter(({ name }) => container === undefined || name === container);
  const facts = eventFacts(maskText(event), selected);
  if (facts === undefined) {
    const hint = 'give its message, as kubectl describe pod prints it';
    throw new UsageError(`no event of a kubelet has this text: ${hint}`);
  }
  const meaning = eventMeaning(facts);
  const text =
    output === 'json' ? jsonOutput(meaning) : eventText(meaning, await textStyle(flags, io));
  await write(io.stdout, text);
  return EXIT.success;
}

function noContainer({ pods }: LoadedManifest, { container }: ExplainFlags): string {
  if (container === undefined) return 'nothing to explain: the manifests have no container';
  const names = pods.flatMap(({ pod: { spec } }) =>
    [...spec.containers, ...(spec.initContainers ?? [])].map(({ name }) => name),
  );
  const hint = similarHint(container, names) ?? `containers: ${names.join(', ')}`;
  return `no container "${container}" (${hint})`;
}

async function rendered(pods: readonly ExplainedWorkload[], flags: ExplainFlags, io: Io) {
  switch (flags.output ?? 'text') {
    case 'json':
      return jsonOutput({ pods });
    case 'svg':
      return (await import('./explain-chart.js')).explainSvg(pods);
    case 'text': {
      const { paintLines } = await import('../../text/paint.js');
      const { explainLines } = await import('./explain-text.js');
      const { chartNote, explainChart } = await import('./explain-chart.js');
      const { columns: all, ...theme } = outputTheme(flags, io);
      const columns = Math.min(MAX_COLUMNS, all);
      const parts =
        flags.long === true
          ? pods.map((pod) => explainLines(pod, columns))
          : [...pods.map((pod) => explainChart(pod, columns)), chartNote(columns)];
      const lines = parts.flatMap((part, index) => (index === 0 ? part : [[], ...part]));
      return paintLines(lines, theme);
    }
  }
}

/** Sentences are easier to read when rows are not too long. */
const MAX_COLUMNS = 110;
