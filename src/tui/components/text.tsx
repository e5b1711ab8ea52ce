import { Newline, Text as InkText, type TextProps } from 'ink';
import { Children, type FC, Fragment, type PropsWithChildren } from 'react';

import { span, type Tone, wrapText } from '../../text/line.js';
import { paintLine } from '../../text/paint.js';
import { useTheme } from '../hooks/use-store.js';

const COLORED: Readonly<Record<Tone, TextProps>> = {
  plain: {},
  dim: { dimColor: true },
  strong: { bold: true },
  good: { color: 'green' },
  bad: { color: 'red' },
  warn: { color: 'yellow' },
  info: { color: 'cyan' },
  cursor: { inverse: true },
};

const COLORLESS: Readonly<Record<Tone, TextProps>> = {
  ...COLORED,
  good: {},
  bad: { bold: true },
  warn: { bold: true },
  info: {},
};

type Props = PropsWithChildren<Pick<TextProps, 'wrap'> & { readonly tone?: Tone | undefined }>;

/** Text in a tone. Control characters are escaped, and a terminal without Unicode gets ASCII. */
export const Text: FC<Props> = ({ tone = 'plain', wrap = 'truncate', children }) => {
  const theme = useTheme();
  return (
    <InkText {...(theme.color ? COLORED : COLORLESS)[tone]} wrap={wrap}>
      {Children.map(children, (child) =>
        typeof child === 'string' ? paintLine([span(child)], theme) : child,
      )}
    </InkText>
  );
};

export interface ParagraphProps {
  readonly children: string;
  readonly columns: number;
  readonly tone?: Tone | undefined;
}

/** Wrapped text. Ink would part numbers from their units, and begin rows with a space. */
export const Paragraph: FC<ParagraphProps> = ({ children, columns, tone }) => (
  <Text tone={tone}>
    {wrapText(children, Math.max(1, columns)).map((row, index) => (
      <Fragment key={index}>
        {index > 0 && <Newline />}
        <Text>{row}</Text>
      </Fragment>
    ))}
  </Text>
);
