import { Box, Text } from 'ink';
import type { FC } from 'react';

import { probeOf } from '../../kubelet/prober/probe-of.js';
import { handlerText, settingsText } from '../../report/probe-text.js';
import { explainProbe } from '../../schedule/explain-probe.js';
import { hangingRows, type Line, line, span } from '../../text/line.js';
import { field, FIELD_WIDTH, heading } from '../components/format.js';
import { Row, Rows, TextBody } from '../components/rows.js';
import { useSnapshot } from '../hooks/use-store.js';
import { copiesInView } from '../store/copies.js';
import { bindingsOfRun, labelOf } from '../store/press.js';
import { findProbeIn, type FoundProbe, viewBelow, wrapsIn } from '../store/selection.js';
import { overlayOf, readsOnly, type Size, type Snapshot } from '../store/state.js';

const SIGNS = {
  '✓ ✗ !': "success, failure, error (errors don't count)",
  '██▁ 2/3': 'two of three results in a row',
  NEXT: 'time until the next attempt',
};

export const HelpView: FC<Size> = (size) => {
  const snapshot = useSnapshot();
  const below = viewBelow(snapshot);
  const isIdle = readsOnly(snapshot.context);
  const known = bindingsOfRun(snapshot.context).filter(({ isLive = false }) => !(isLive && isIdle));
  const keyLines = (where: 'view' | 'everywhere'): Line[] =>
    known
      .filter(({ views }) => (where === 'view' ? views?.includes(below) : views === undefined))
      .map((binding) => helpLine([labelOf(binding, snapshot), binding.sentence]));
  const lines = [
    heading('In this view'),
    ...keyLines('view'),
    [],
    heading('Everywhere'),
    ...keyLines('everywhere'),
    [],
    heading('Signs'),
    ...Object.entries(SIGNS).map(helpLine),
  ];
  return <TextBody id="help" lines={lines} {...size} />;
};

function helpLine([sign, sentence]: readonly [string, string]): Line {
  return [span(`  ${sign.padEnd(9)}`, 'strong'), span(sentence)];
}

/** Sentences are easier to read when rows are not too long. */
const MAX_WIDTH = 100;

export function explainTitle(snapshot: Snapshot): string {
  const found = findExplained(snapshot);
  return found === undefined ? 'explain' : `${found.container.name}/${found.probe.type} explained`;
}

export const ExplainView: FC<Size> = (size) => {
  const snapshot = useSnapshot();
  const found = findExplained(snapshot);
  if (found === undefined) return null;
  const width = wrapsIn(snapshot) ? Math.min(MAX_WIDTH, size.columns) : Infinity;
  return <TextBody id="explain" lines={explainLines(found, width)} wrapAt={width} {...size} />;
};

function explainLines({ pod, container, probe }: FoundProbe, width: number): Line[] {
  const spec = probeOf(container.spec, probe.type);
  if (spec === undefined) return [];
  const settings = `${settingsText(spec)}, ${spec.successThreshold} to succeed`;
  const indent = FIELD_WIDTH + 3;
  const sentences = explainProbe(pod.object, container.spec, probe.type, spec);
  return [
    ...field(probe.type, `${handlerText(spec, container.spec)}, ${settings}`, width),
    [],
    ...sentences.flatMap(({ topic, text }): Line[] => [
      ...hangingRows(span(topic.padEnd(indent), 'info'), text, width),
      [],
    ]),
  ];
}

function findExplained({ summary, ui }: Snapshot): FoundProbe | undefined {
  const overlay = overlayOf(ui, 'explain');
  return overlay && findProbeIn(summary, overlay);
}

/** Asks before a restart of something real. */
export const ConfirmView: FC<Size> = ({ columns }) => {
  const { container = '' } = overlayOf(useSnapshot().ui, 'confirmRestart') ?? {};
  const width = columns - 2;
  return (
    <Box flexDirection="column" paddingLeft={2} paddingTop={1} rowGap={1}>
      <Row line={line(`Restart ${container}?`, 'strong')} width={width} />
      <Text>
        kprobe sends TERM now, and KILL after the grace period. The container then starts again as
        after a crash, with back-off.
      </Text>
      <Text>Press y to restart it, n, q or esc to cancel.</Text>
    </Box>
  );
};

export const CopyView: FC<Size> = ({ columns }) => {
  const width = columns - 2;
  const lines = copiesInView(useSnapshot()).flatMap(({ name, text }, index) => [
    ...text
      .trimEnd()
      .split('\n')
      .flatMap((row, at) => {
        const label = `${index + 1}  ${name.padEnd(12)}`;
        return hangingRows(span(at === 0 ? label : ' '.repeat(label.length), 'strong'), row, width);
      }),
    [],
  ]);
  return (
    <Box flexDirection="column" paddingLeft={2} paddingTop={1}>
      <Rows lines={lines} width={width} />
      <Text>
        A number copies the text, where the terminal allows that (OSC 52); esc or q closes this.
      </Text>
    </Box>
  );
};
