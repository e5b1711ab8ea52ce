import { Box, type BoxProps } from 'ink';
import type { FC } from 'react';

import { type Line, lineWidth } from '../../text/line.js';
import { Spans, Text } from './text.js';

interface FittingProps extends Pick<
  BoxProps,
  'flexGrow' | 'flexShrink' | 'flexBasis' | 'justifyContent' | 'minWidth'
> {
  readonly parts: readonly Line[];
  /** Columns before each part, or behind it. */
  readonly gap: Pick<BoxProps, 'marginLeft' | 'marginRight'>;
}

/** The parts for which one row has room: those that wrap are out of sight. */
export const Fitting: FC<FittingProps> = ({ parts, gap, ...box }) => (
  <Box height={1} flexWrap="wrap" overflow="hidden" {...box}>
    {/* The first part wraps only behind another one. */}
    <Box height={1} />
    {parts.map((part, index) => (
      <Box key={index} width={lineWidth(part)} flexShrink={0} {...gap}>
        <Text>
          <Spans line={part} />
        </Text>
      </Box>
    ))}
  </Box>
);
