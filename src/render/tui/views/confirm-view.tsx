import { Box, Text } from 'ink';

import { line } from '../../text/line.js';
import { Row } from '../components/row.js';
import { useSnapshot } from '../hooks/use-store.js';
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
