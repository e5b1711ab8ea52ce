import { Box } from 'ink';
import type { FC } from 'react';

import { probeOf } from '../../kubelet/prober/probe-of.js';
import { handlerText, settingsText } from '../../report/probe-text.js';
import { explainProbe } from '../../schedule/explain-probe.js';
import { Field, FIELD_WIDTH, Heading } from '../components/item.js';
import { Scroll } from '../components/scroll.js';
import { Paragraph, Text } from '../components/text.js';
import { useSnapshot } from '../hooks/use-store.js';
import { copiesInView } from '../store/copies.js';
import { bindingsOfRun, labelOf } from '../store/press.js';
import { findProbeIn, type FoundProbe, viewBelow, wrapsIn } from '../store/selection.js';
import { overlayOf, readsOnly, type Size, type Snapshot } from '../store/state.js';

const SIGNS = [
  { sign: '✓ ✗ !', sentence: "success, failure, error (errors don't count)" },
  { sign: '██▁ 2/3', sentence: 'two of three results in a row' },
  { sign: 'NEXT', sentence: 'time until the next attempt' },
];

export const HelpView: FC<Size> = (size) => {
  const snapshot = useSnapshot();
  const below = viewBelow(snapshot);
  const isIdle = readsOnly(snapshot.context);
  const columns = wrapsIn(snapshot) ? size.columns : Infinity;
  const keys = bindingsOfRun(snapshot.context)
    .filter(({ isLive = false }) => !(isLive && isIdle))
    .map((binding) => ({ ...binding, sign: labelOf(binding, snapshot) }));
  return (
    <Scroll id="help">
      <Heading>In this view</Heading>
      <Signs signs={keys.filter(({ views }) => views?.includes(below))} columns={columns} />
      <Heading marginTop={1}>Everywhere</Heading>
      <Signs signs={keys.filter(({ views }) => views === undefined)} columns={columns} />
      <Heading marginTop={1}>Signs</Heading>
      <Signs signs={SIGNS} columns={columns} />
    </Scroll>
  );
};

interface SignsProps {
  readonly signs: readonly { readonly sign: string; readonly sentence: string }[];
  readonly columns: number;
}

const Signs: FC<SignsProps> = ({ signs, columns }) =>
  signs.map(({ sign, sentence }) => (
    <Field key={sentence} name={`  ${sign}`} nameTone="strong" nameWidth={11} columns={columns}>
      {sentence}
    </Field>
  ));

/** Sentences are easier to read when rows are not too long. */
const MAX_WIDTH = 100;

export function explainTitle(snapshot: Snapshot): string {
  const found = findExplained(snapshot);
  return found === undefined ? 'explain' : `${found.container.name}/${found.probe.type} explained`;
}

export const ExplainView: FC<Size> = (size) => {
  const snapshot = useSnapshot();
  const found = findExplained(snapshot);
  const spec = found && probeOf(found.container.spec, found.probe.type);
  if (found === undefined || spec === undefined) return null;
  const { pod, container, probe } = found;
  const columns = wrapsIn(snapshot) ? Math.min(MAX_WIDTH, size.columns) : Infinity;
  return (
    <Scroll id="explain">
      <Field name={probe.type} columns={columns}>
        {`${handlerText(spec, container.spec)}, ${settingsText(spec)}, ${spec.successThreshold} to succeed`}
      </Field>
      {explainProbe(pod.object, container.spec, probe.type, spec).map(({ topic, text }) => (
        <Field
          key={topic}
          name={topic}
          nameTone="info"
          nameWidth={FIELD_WIDTH + 3}
          columns={columns}
          marginTop={1}
        >
          {text}
        </Field>
      ))}
    </Scroll>
  );
};

function findExplained({ summary, ui }: Snapshot): FoundProbe | undefined {
  const overlay = overlayOf(ui, 'explain');
  return overlay && findProbeIn(summary, overlay);
}

/** Asks before a restart of something real. */
export const ConfirmView: FC<Size> = ({ columns }) => {
  const { container = '' } = overlayOf(useSnapshot().ui, 'confirmRestart') ?? {};
  return (
    <Box flexDirection="column" paddingLeft={2} paddingTop={1} rowGap={1}>
      <Text tone="strong">{`Restart ${container}?`}</Text>
      <Paragraph columns={columns - 2}>
        kprobe sends TERM now, and KILL after the grace period. The container then starts again as
        after a crash, with back-off.
      </Paragraph>
      <Text>Press y to restart it, n, q or esc to cancel.</Text>
    </Box>
  );
};

export const CopyView: FC<Size> = ({ columns }) => (
  <Box flexDirection="column" paddingLeft={2} paddingTop={1} rowGap={1}>
    {copiesInView(useSnapshot()).map(({ name, text }, index) => (
      <Box key={name}>
        <Box width={15} flexShrink={0}>
          <Text tone="strong">{`${index + 1}  ${name}`}</Text>
        </Box>
        <Box flexDirection="column">
          {text
            .trimEnd()
            .split('\n')
            .map((row, at) => (
              <Paragraph key={at} columns={columns - 17}>
                {row}
              </Paragraph>
            ))}
        </Box>
      </Box>
    ))}
    <Paragraph columns={columns - 2}>
      A number copies the text, where the terminal allows that (OSC 52); esc or q closes this.
    </Paragraph>
  </Box>
);
