import { type Line, span } from '../../../text/line.js';
import type { TimeWindow } from './window.js';

/** Cells between two times on the axis. */
const STEP = 12;

/** The times below which the cells stand: seconds since the trace began. */
export function timeAxis(window: TimeWindow, label: string): Line {
  const { cell, first, width } = window;
  let axis = '';
  for (let index = 0; index < width;) {
    const at = first + index;
    if (at >= 0 && at % STEP === 0) {
      const text = `╷${clock(at * cell)}`;
      axis += text;
      index += text.length;
    } else {
      axis += ' ';
      index++;
    }
  }
  return [span(label, 'dim'), span(axis.slice(0, width), 'dim')];
}

/** `0:07`, `12:30`, `1:02:03`; with tenths where cells are short. */
function clock(seconds: number): string {
  const s = Math.floor(seconds);
  const [h, m] = [Math.floor(s / 3600), Math.floor((s % 3600) / 60)];
  const two = (n: number): string => String(n).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}
