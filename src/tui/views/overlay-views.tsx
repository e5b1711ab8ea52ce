import type { FC } from 'react';

import { probeOf } from '../../kubelet/prober/probe-of.js';
import { handlerText, settingsText } from '../../report/probe-text.js';
import { explainProbe } from '../../schedule/explain-probe.js';
import { ColumnsProvider, Indented } from '../components/columns.js';
import { Field, FIELD_WIDTH, Heading } from '../components/item.js';
import { Scroll } from '../components/scroll.js';
import { Beside, Paragraph, Text } from '../components/text.js';
import { useSnapshot } from '../hooks/use-store.js';
import { copiesInView } from '../store/copies.js';
import { bindingsOfRun, labelOf } from '../store/press.js';
import { findProbeIn, type FoundProbe, viewBelow, wrapsIn } from '../store/selection.js';
import { canAct, overlayOf, type Snapshot } from '../store/state.js';

const SIGNS = [
  { sign: '✓ ✗ !', sentence: "success, failure, error (errors don't count)" },
  { sign: '██▁ 2/3', sentence: 'two of three results in a row' },
  { sign: 'NEXT', sentence: 'time until the next attempt' },
];

export const HelpView: FC = () => {
  const snapshot = useSnapshot();
  const covered = snapshot.ui.overlays.findLast(({ kind }) => kind !== 'help');
  const below = covered?.kind ?? viewBelow(snapshot);
  const keys = bindingsOfRun(snapshot)
    .filter(({ isLive = false }) => !(isLive && !canAct(snapshot.context)))
    .map((binding) => ({ ...binding, sign: labelOf(binding, snapshot) }));
  return (
    <ColumnsProvider value={wrapsIn(snapshot) ? snapshot.size.columns : Infinity}>
      <Scroll id="help">
        <Heading>In this view</Heading>
        <Signs signs={keys.filter(({ views }) => views?.includes(below))} />
        <Heading marginTop={1}>Everywhere</Heading>
        <Signs signs={keys.filter(({ views }) => views === undefined)} />
        <Heading marginTop={1}>Signs</Heading>
        <Signs signs={SIGNS} />
      </Scroll>
    </ColumnsProvider>
  );
};

const Signs: FC<{
  readonly signs: readonly { readonly sign: string; readonly sentence: string }[];
}> = ({ signs }) =>
  signs.map(({ sign, sentence }) => (
    <Field key={sentence} name={`  ${sign}`} nameTone="strong" nameWidth={11} text={sentence} />
  ));

/** Sentences are easier to read when rows are not too long. */
const MAX_WIDTH = 100;

export function explainTitle(snapshot: Snapshot): string {
  const found = findExplained(snapshot);
  return found === undefined ? 'explain' : `${found.container.name}/${found.probe.type} explained`;
}

export const ExplainView: FC = () => {
  const snapshot = useSnapshot();
  const found = findExplained(snapshot);
  const columns = wrapsIn(snapshot) ? Math.min(MAX_WIDTH, snapshot.size.columns) : Infinity;
  const spec = found && probeOf(found.container.spec, found.probe.type);
  if (found === undefined || spec === undefined) return null;
  const { pod, container, probe } = found;
  const settings = `${settingsText(spec)}, ${spec.successThreshold} to succeed`;
  return (
    <ColumnsProvider value={columns}>
      <Scroll id="explain">
        <Field name={probe.type} text={`${handlerText(spec, container.spec)}, ${settings}`} />
        {explainProbe(pod.object, container.spec, probe.type, spec).map(({ topic, text }) => (
          <Field
            key={topic}
            name={topic}
            nameTone="info"
            nameWidth={FIELD_WIDTH + 3}
            text={text}
            marginTop={1}
          />
        ))}
      </Scroll>
    </ColumnsProvider>
  );
};

function findExplained({ summary, ui }: Snapshot): FoundProbe | undefined {
  const overlay = overlayOf(ui, 'explain');
  return overlay && findProbeIn(summary, overlay);
}

/** Asks before a restart of something real. */
export const ConfirmView: FC = () => {
  const { container = '' } = overlayOf(useSnapshot().ui, 'confirmRestart') ?? {};
  const text =
    'kprobe sends TERM now, and KILL after the grace period. The container then starts again as after a crash, with back-off.';
  return (
    <Indented by={2} marginTop={1} rowGap={1}>
      <Text tone="strong">{`Restart ${container}?`}</Text>
      <Paragraph text={text} />
      <Text>Press y to restart it, n, q or esc to cancel.</Text>
    </Indented>
  );
};

const COPY_HELP =
  'A number copies the text, where the terminal allows that (OSC 52); esc or q closes this.';

export const CopyView: FC = () => (
  <Scroll id="copy">
    {copiesInView(useSnapshot()).map(({ name, text }, index) => (
      <Indented key={name} by={2} marginTop={1}>
        {text
          .trimEnd()
          .split('\n')
          .map((row, at) => (
            <Beside
              key={at}
              sign={at === 0 ? `${index + 1}  ${name}` : ''}
              signTone="strong"
              indent={15}
              text={row}
            />
          ))}
      </Indented>
    ))}
    <Indented by={2} marginTop={1}>
      <Paragraph text={COPY_HELP} />
    </Indented>
  </Scroll>
);
