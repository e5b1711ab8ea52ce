import chalk from 'chalk';
import { Box, Text } from 'ink';
import { type FC, memo } from 'react';

import { clipLine, type Line, type Span, type Tone } from '../../text/line.js';
import { toAscii } from '../../text/paint.js';
import { useLook } from '../hooks/use-store.js';

// Ink paints with chalk, which knows fewer terminals than there are: `look` decides what is painted.
chalk.level = 1;

type Style = Pick<Parameters<typeof Text>[0], 'color' | 'bold' | 'dimColor' | 'inverse'>;

/** The terminal's own 16 colors: they fit its background, whatever that is. */
const COLORED: Readonly<Record<Tone, Style>> = {
  plain: {},
  dim: { dimColor: true },
  strong: { bold: true },
  good: { color: 'green' },
  bad: { color: 'red' },
  warn: { color: 'yellow' },
  info: { color: 'cyan' },
  cursor: { inverse: true },
};

const COLORLESS: Readonly<Record<Tone, Style>> = {
  ...COLORED,
  good: {},
  bad: { bold: true },
  warn: { bold: true },
  info: {},
};

interface RowProps {
  readonly line: Line;
  readonly width: number;
}

/** One row of text, cut off at the width. */
export const Row: FC<RowProps> = memo(
  function Row({ line, width }) {
    const { color, unicode } = useLook();
    const styles = color ? COLORED : COLORLESS;
    const spans = joinSpans(clipLine(line, width));
    // A text without characters would have no row.
    if (spans.length === 0) return <Text> </Text>;
    return (
      <Text>
        {spans.map(({ text, tone }, index) => (
          <Text key={index} {...styles[tone]}>
            {unicode ? text : toAscii(text)}
          </Text>
        ))}
      </Text>
    );
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

/** Neighbors of one tone as one. */
function joinSpans(line: Line): { text: string; tone: Tone }[] {
  const joined: { text: string; tone: Tone }[] = [];
  for (const { text, tone } of line) {
    const last = joined.at(-1);
    if (last?.tone === tone) last.text += text;
    else if (text !== '') joined.push({ text, tone });
  }
  return joined;
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
