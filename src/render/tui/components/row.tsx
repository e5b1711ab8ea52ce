import chalk from 'chalk';
import { Box, Text } from 'ink';
import { type FC, memo } from 'react';

import { clipLine, type Line, type Span } from '../../text/line.js';
import { paintLine } from '../../text/paint.js';
import { useLook } from '../hooks/use-store.js';

// Ink paints borders with chalk, which knows fewer terminals than there are: `look` decides what is painted.
chalk.level = 1;

interface RowProps {
  readonly line: Line;
  readonly width: number;
}

/** One row of text, cut off at the width. */
export const Row: FC<RowProps> = memo(
  function Row({ line, width }) {
    const text = paintLine(clipLine(line, width), useLook());
    // A text without characters would have no row.
    return <Text>{text || ' '}</Text>;
  },
  (before, after) => before.width === after.width && areEqual(before.line, after.line),
);

function areEqual(one: Line, other: Line): boolean {
  return (
    one === other ||
    (one.length === other.length && one.every((span, index) => isSame(span, other[index])))
  );
}

function isSame(span: Span, other: Span | undefined): boolean {
  return span.text === other?.text && span.tone === other.tone;
}

/** Rows one below the other. */
export const Rows: FC<{ readonly lines: readonly Line[]; readonly width: number }> = ({
  lines,
  width,
}) => (
  <Box flexDirection="column" flexShrink={0}>
    {lines.map((line, index) => (
      <Row key={index} line={line} width={width} />
    ))}
  </Box>
);
