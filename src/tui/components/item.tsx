import { Box } from 'ink';
import { createContext, type FC, type PropsWithChildren, useContext, useLayoutEffect } from 'react';

import type { Tone } from '../../text/line.js';
import { useSnapshot } from '../hooks/use-store.js';
import { filterOf, matches, wrapsIn } from '../store/selection.js';
import { Beside, Text } from './text.js';

/** Counts the items of a body that the filter shows, and all; returns how to take one out again. */
export const ItemCount = createContext<(isShown: boolean) => () => void>(() => () => undefined);

interface ItemProps {
  /** The text that the filter searches. */
  readonly text: string;
  readonly marginTop?: number | undefined;
}

/** A part of a body, which the view's filter hides where it does not contain the text. */
export const Item: FC<PropsWithChildren<ItemProps>> = ({ text, marginTop = 0, children }) => {
  const isShown = matches(text, filterOf(useSnapshot()));
  const count = useContext(ItemCount);
  useLayoutEffect(() => count(isShown), [count, isShown]);
  if (!isShown) return null;
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={marginTop}>
      {children}
    </Box>
  );
};

export const FIELD_WIDTH = 12;

interface FieldProps extends Pick<ItemProps, 'marginTop'> {
  readonly name: string;
  /** The field's value; the field is not shown where it is empty or undefined. */
  readonly text: string | undefined;
  readonly tone?: Tone;
  readonly nameTone?: Tone;
  readonly nameWidth?: number;
}

export const Field: FC<FieldProps> = ({ name, text = '', marginTop, ...props }) => {
  const { nameWidth = FIELD_WIDTH, nameTone = 'dim', tone } = props;
  if (text === '') return null;
  return (
    <Item text={`${name} ${text}`} marginTop={marginTop}>
      <Beside sign={name} signTone={nameTone} indent={nameWidth} text={text} tone={tone} />
    </Item>
  );
};

export const Heading: FC<{ readonly children: string } & Pick<ItemProps, 'marginTop'>> = (
  props,
) => (
  <Item text={props.children} marginTop={props.marginTop}>
    <Text tone="info">{props.children}</Text>
  </Item>
);

type ItemLineProps = PropsWithChildren<{ readonly text: string; readonly tone?: Tone }>;

/** An item of one line, which is cut off unless the view wraps. */
export const ItemLine: FC<ItemLineProps> = ({ text, tone, children = text }) => (
  <Item text={text}>
    <Text tone={tone} wrap={wrapsIn(useSnapshot()) ? 'wrap' : 'truncate'}>
      {children}
    </Text>
  </Item>
);
