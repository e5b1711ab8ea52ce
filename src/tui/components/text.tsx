import { Box, Text as InkText, type TextProps } from 'ink';
import { Children, type FC, type PropsWithChildren } from 'react';

import { type Line, line, span, textWidth, type Tone, wrapText } from '../../text/line.js';
import { paintLine } from '../../text/paint.js';
import { type Column, cutCell } from '../../text/table.js';
import { useTheme } from '../hooks/use-store.js';
import { useColumns } from './columns.js';

type Props = PropsWithChildren<Pick<TextProps, 'wrap'> & { readonly tone?: Tone | undefined }>;

/** Text in a tone. Control characters are escaped, and a terminal without Unicode gets ASCII. */
export const Text: FC<Props> = ({ tone = 'plain', wrap = 'truncate', children }) => {
  const theme = useTheme();
  return (
    // Ink keeps the rows of a text whose wrapping alone changes.
    <InkText key={wrap} wrap={wrap}>
      {Children.map(children, (child) =>
        typeof child === 'string' ? paintLine([span(child, tone)], theme) : child,
      )}
    </InkText>
  );
};

export const Spans: FC<{ readonly line: Line }> = ({ line }) =>
  line.map(({ text, tone }, index) => (
    <Text key={index} tone={tone}>
      {text}
    </Text>
  ));

export interface ParagraphProps {
  readonly text: string;
  readonly tone?: Tone | undefined;
  /** Columns that something beside it takes. */
  readonly indent?: number;
  /** The last row takes the rest, and what has no room there is missing in its middle, or at its end. */
  readonly maxRows?: number;
  readonly cut?: Column['cut'];
}

/** Wrapped text. Ink would part numbers from their units, and begin rows with a space. */
export const Paragraph: FC<ParagraphProps> = (props) => {
  const { text, tone, indent = 0, maxRows = Infinity, cut = 'middle' } = props;
  const width = Math.max(1, useColumns() - indent);
  const rows = wrapText(text, width);
  const shown =
    rows.length <= maxRows
      ? rows
      : [...rows.slice(0, maxRows - 1), rows.slice(maxRows - 1).join(' ')];
  return (
    <Box flexDirection="column">
      {shown.map((row, index) => (
        <Text key={index}>
          <Spans line={cutCell(line(row, tone), cut, width)} />
        </Text>
      ))}
    </Box>
  );
};

interface BesideProps extends ParagraphProps {
  readonly sign: string;
  readonly signTone?: Tone;
}

export const Beside: FC<BesideProps> = ({ sign, signTone = 'dim', indent, ...paragraph }) => {
  const width = indent ?? textWidth(sign);
  return (
    <Box>
      <Box width={width} flexShrink={0}>
        <Text tone={signTone}>{sign}</Text>
      </Box>
      <Paragraph {...paragraph} indent={width} />
    </Box>
  );
};
