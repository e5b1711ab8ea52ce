import { Box, Text } from 'ink';

import { hangingRows, line, span } from '../../text/line.js';
import { Row, Rows } from '../components/row.js';
import { useSnapshot } from '../hooks/use-store.js';
import { copiesOf } from '../store/copies.js';
import { findProbeIn, troublesOf } from '../store/selection.js';
import { overlayOf } from '../store/state.js';
import type { View } from './view.js';

/** Asks before a restart of something real. */
export const ConfirmView: View = ({ columns }) => {
  const { container = '' } = overlayOf(useSnapshot().ui, 'confirmRestart') ?? {};
  const width = columns - 2;
  return (
    <Box flexDirection="column" paddingLeft={2} paddingTop={1} rowGap={1}>
      <Row line={line(`Restart ${container}?`, 'strong')} width={width} />
      <Text>
        kprobe sends TERM now, and KILL after the grace period. The container then starts again as
        after a crash, with back-off.
      </Text>
      <Text>Press y to restart it, n or esc to cancel.</Text>
    </Box>
  );
};

/** The texts that can be copied. */
export const CopyView: View = ({ columns }) => {
  const snapshot = useSnapshot();
  const { ui, summary } = snapshot;
  const overlay = overlayOf(ui, 'copy');
  const found = overlay && findProbeIn(summary, overlay);
  const copies = found === undefined ? [] : copiesOf(found, troublesOf(found.pod, snapshot));
  const width = columns - 2;
  const lines = copies.flatMap(({ name, text }, index) => [
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
      <Text>A number copies the text, where the terminal allows that (OSC 52); esc drops it.</Text>
    </Box>
  );
};
