import { type Line, line, type Tone, wrapText } from '../../text/line.js';
import { readsOnly, type Snapshot } from '../store/state.js';

/** Rows of each sentence, and sentences, at most. */
const MAX_ROWS = 2;
const MAX_ROLLOUTS = 3;
/** Rows of a screen above which each sentence gets one more. */
const LOW_SCREEN = 30;

/** The rollouts of a watch, and a connection that is lost. */
export function clusterRows({ summary, about, size }: Snapshot): Line[] {
  const { workloads, runtimeError } = summary;
  const most = size.rows > LOW_SCREEN ? MAX_ROWS + 1 : MAX_ROWS;
  const rows = (text: string, tone: Tone): Line[] => {
    const all = wrapText(text, size.columns);
    return [...all.slice(0, most - 1), all.slice(most - 1).join(' ')]
      .filter((row) => row !== '')
      .map((row) => line(row, tone));
  };
  const isLost = runtimeError !== undefined && readsOnly(about);
  return [
    ...(isLost ? rows(`${runtimeError}; trying again`, 'warn') : []),
    ...workloads
      .slice(0, MAX_ROLLOUTS)
      .flatMap(({ sentence, done, failed }) =>
        rows(sentence, done ? 'good' : failed ? 'bad' : 'warn'),
      ),
  ];
}
