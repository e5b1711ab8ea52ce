import { Text, Transform } from 'ink';
import { type FC, memo } from 'react';

interface RowsProps {
  /** Painted, none wider than the screen. */
  readonly rows: readonly string[];
}

/**
 * Rows as they are. They come in by a transform: Ink measures and remembers every text that it is given, and would
 * remember each second of each countdown.
 */
export const Rows: FC<RowsProps> = memo(
  function Rows({ rows }: RowsProps) {
    if (rows.length === 0) return null;
    return (
      <Transform transform={(_, index) => rows[index] ?? ''}>
        <Text>{rows.map(() => ' ').join('\n')}</Text>
      </Transform>
    );
  },
  (before, after) =>
    before.rows.length === after.rows.length &&
    before.rows.every((row, index) => row === after.rows[index]),
);
