import { Box, type BoxProps } from 'ink';
import type { FC, PropsWithChildren } from 'react';

import { elideLine, line, lineText } from '../../text/line.js';
import { useTheme } from '../hooks/use-store.js';
import { ColumnsProvider, useColumns } from './columns.js';
import { Text } from './text.js';

/** A line to the right margin, after an optional title. */
export const Rule: FC<{ readonly title?: string; readonly tone?: 'dim' | 'info' }> = (props) => {
  const { title, tone = 'info' } = props;
  return (
    <Box flexGrow={1} flexShrink={0}>
      {title !== undefined && (
        <>
          <Text tone="dim">─</Text>
          <Text tone={tone} wrap="truncate-middle">{` ${title} `}</Text>
        </>
      )}
      <Box
        flexGrow={1}
        height={1}
        {...useBorder()}
        borderLeft={false}
        borderRight={false}
        borderBottom={false}
      />
    </Box>
  );
};

function useBorder(): BoxProps {
  return { borderStyle: useTheme().unicode ? 'single' : 'classic', borderDimColor: true };
}

/** Columns that the border takes. */
const BORDER = 2;
/** Columns that `┌─ ` and ` ┐` take around the title. */
const AROUND_TITLE = 5;

export type PanelProps = PropsWithChildren<
  Pick<BoxProps, 'flexGrow' | 'flexShrink' | 'flexBasis'> & {
    readonly title: string;
    readonly columns?: number;
  }
>;

/** Parts within a border that has a title. */
export const Panel: FC<PanelProps> = ({ title, flexShrink = 1, columns, children, ...box }) => {
  const outer = useColumns();
  const width = columns ?? outer;
  const border = useBorder();
  return (
    <Box flexDirection="column" width={width} flexShrink={flexShrink} {...box}>
      <Box flexShrink={0}>
        <Text tone="dim">┌</Text>
        <Rule title={lineText(elideLine(line(title), width - AROUND_TITLE))} />
        <Text tone="dim">┐</Text>
      </Box>
      <Box flexDirection="column" flexGrow={1} overflowY="hidden" {...border} borderTop={false}>
        <ColumnsProvider value={width - BORDER}>{children}</ColumnsProvider>
      </Box>
    </Box>
  );
};
