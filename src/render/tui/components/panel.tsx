import { Box } from 'ink';
import type { FC, PropsWithChildren } from 'react';

import { elideLine, type Line, line, lineWidth, span } from '../../text/line.js';
import { useLook } from '../hooks/use-store.js';
import { Row } from './row.js';

/** Columns and rows that the border takes. */
export const BORDER = 2;

const SIDE = { topLeft: '', top: '', topRight: '', bottomLeft: '└', bottom: '─', bottomRight: '┘' };
const UNICODE = { ...SIDE, left: '│', right: '│' };
const ASCII = { ...SIDE, bottomLeft: '+', bottom: '-', bottomRight: '+', left: '|', right: '|' };

interface PanelProps {
  readonly title: string;
  readonly width: number;
  readonly height: number;
}

export const Panel: FC<PropsWithChildren<PanelProps>> = ({ title, width, height, children }) => {
  const { unicode } = useLook();
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0}>
      <Row line={topLine(title, width)} width={width} />
      <Box
        flexDirection="column"
        width={width}
        height={height - 1}
        borderStyle={unicode ? UNICODE : ASCII}
        borderTop={false}
        borderDimColor
      >
        {children}
      </Box>
    </Box>
  );
};

function topLine(title: string, width: number): Line {
  const name = elideLine(line(` ${title} `, 'info'), width - 4);
  const rest = '─'.repeat(Math.max(0, width - 3 - lineWidth(name)));
  return [span('┌─', 'dim'), ...name, span(`${rest}┐`, 'dim')];
}
