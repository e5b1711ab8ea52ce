import chalk from 'chalk';
import { Text } from 'ink';
import { type FC, memo } from 'react';

import { clipLine, type Line } from '../../text/line.js';
import { paintLine } from '../../text/paint.js';
import { useTheme } from '../hooks/use-store.js';
import { useColumns } from './columns.js';

// Ink paints with chalk, which knows fewer terminals than there are: the theme decides what is painted.
chalk.level = 1;

/**
 * A row of a table or a lane, cut off at the last column and painted as one string: 40 rows of 10 cells that all change
 * take 32 – 41 ms of CPU a frame, with a `Text` for each cell 46 – 54 ms, with a `Box` around it 61 – 73 ms.
 */
export const Painted: FC<{ readonly line: Line }> = memo(
  function Painted({ line }) {
    // A text without characters would have no row.
    return <Text>{paintLine(clipLine(line, useColumns()), useTheme()) || ' '}</Text>;
  },
  (before, after) => areEqual(before.line, after.line),
);

function areEqual(line: Line, other: Line): boolean {
  return (
    line === other ||
    (line.length === other.length &&
      line.every(({ text, tone }, at) => text === other[at]?.text && tone === other[at].tone))
  );
}
