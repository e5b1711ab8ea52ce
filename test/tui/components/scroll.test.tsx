import { Box } from 'ink';
import { render } from 'ink-testing-library';
import type { ReactElement } from 'react';
import { describe, expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import { Scroll } from '../../../src/tui/components/scroll.js';
import { Paragraph, Text } from '../../../src/tui/components/text.js';
import { StoreProvider } from '../../../src/tui/hooks/use-store.js';
import type { Size } from '../../../src/tui/store/state.js';
import { Store } from '../../../src/tui/store/store.js';
import { RUN_CONTEXT } from '../../helpers/ui.js';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 40, rows: 12 },
] as const;

/** The rows of a screen that the body fills. */
function rowsOf(size: Size, body: ReactElement): string[] {
  const store = new Store({
    clock: new VirtualClock(),
    now: () => 0,
    context: RUN_CONTEXT,
    size,
    perform: () => undefined,
  });
  const { lastFrame, unmount } = render(
    <StoreProvider value={store}>
      <Box flexDirection="column" width={size.columns} height={size.rows}>
        {body}
      </Box>
    </StoreProvider>,
  );
  const frame = lastFrame() ?? '';
  unmount();
  return frame.split('\n');
}

const hundred = Array.from({ length: 100 }, (_, index) => (
  <Text key={`row ${index}`}>{`row ${index}.`}</Text>
));

describe.each(SIZES)('a body in $columns×$rows', (size) => {
  it('shows the rows for which there is room, and how many are out of sight', () => {
    const rows = rowsOf(size, <Scroll failing={['row 99']}>{hundred}</Scroll>);
    const shown = size.rows - 1;
    expect(rows).toHaveLength(size.rows);
    expect(rows[shown - 1]).toBe(`row ${shown - 1}.`);
    expect(rows.at(-1)).toContain(`▼ ${100 - shown} more, 1 failing`);
  });

  it('shows its end when it follows', () => {
    const rows = rowsOf(size, <Scroll follows>{hundred}</Scroll>);
    expect(rows[0]).toBe(`row ${100 - size.rows}.`);
    expect(rows.at(-1)).toBe('row 99.');
  });

  it('moves until the chosen part is whole', () => {
    const text = 'word '.repeat(50).trim();
    const parts = hundred.with(60, <Paragraph key="long" text={text} />);
    const rows = rowsOf(size, <Scroll chosen="long">{parts}</Scroll>);
    expect(rows.filter((row) => row.includes('word')).join(' ')).toBe(text);
    expect(rows.at(-1)).toContain('word');
  });

  it('begins with a whole part where the chosen one is below the screen', () => {
    const parts = hundred.map((_, index) => (
      <Paragraph key={index} text={`part ${index}`.padEnd(1.5 * size.columns, ' text')} />
    ));
    const rows = rowsOf(size, <Scroll chosen="60">{parts}</Scroll>);
    expect(rows[0]).toMatch(/^part/);
    expect(rows.join('\n')).toContain('part 60');
  });

  it('keeps its height beside a body that shrinks, with all of its rows and with one less', () => {
    const counts = Array.from({ length: size.rows }, (_, index) => index + 1);
    for (const count of counts) {
      const rows = rowsOf(
        size,
        <>
          <Scroll failing={['row 0']} flexGrow={0}>
            {hundred.slice(0, count)}
          </Scroll>
          <Box flexShrink={3} minHeight={3} height={5} />
        </>,
      );
      expect(rows[0]).toBe('row 0.');
    }
  });

  it('renders only what is on the screen', () => {
    const rendered = new Set<number>();
    const Row = ({ index }: { readonly index: number }): ReactElement => {
      rendered.add(index);
      return <Text>{`${index}`}</Text>;
    };
    const parts = Array.from({ length: 10_000 }, (_, index) => <Row key={index} index={index} />);
    rowsOf(size, <Scroll>{parts}</Scroll>);
    expect(rendered.size).toBeLessThan(2 * size.rows);
  });
});
