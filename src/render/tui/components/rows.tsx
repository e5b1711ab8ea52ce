import { Text, Transform } from 'ink';
import { type FC, memo } from 'react';

import { clipLine } from '../../text/line.js';
import { type Look, paintLine } from '../../text/paint.js';
import type { Row } from '../views/view.js';

interface RowsProps {
  readonly rows: readonly Row[];
  readonly width: number;
  readonly look: Look;
}

/** Rows, cut at the screen's margin. */
export const Rows: FC<RowsProps> = ({ rows, width, look }) => (
  <PaintedRows rows={rows.map(({ line }) => paintLine(clipLine(line, width), look))} />
);

/**
 * Rows as they are. They come in by a transform: Ink measures and remembers every text that it is given, and would
 * remember each second of each countdown.
 */
const PaintedRows: FC<{ readonly rows: readonly string[] }> = memo(
  function PaintedRows({ rows }: { readonly rows: readonly string[] }) {
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
