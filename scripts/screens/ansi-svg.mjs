/**
 * A captured terminal screen as SVG.
 *
 * `capture`: rows as `tmux capture-pane -e -p` prints them, with SGR sequences.
 */
const CELL = { width: 8.4, height: 18 };
const MARGIN = 12;

const COLORS = {
  background: '#1b1f27',
  foreground: '#d6dae2',
  dim: '#8a92a3',
  30: '#3b4252',
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#76e3ea',
  37: '#d6dae2',
};

export function ansiToSvg(capture, size) {
  const { svg, rowHeight } = frame(size);
  const body = rowsSvg(capture, size.rows).map((row, y) =>
    row === '' ? '' : `<g transform="translate(0 ${round(y * rowHeight)})">${row}</g>\n`,
  );
  return svg(body.join(''));
}

/** The picture around rows: a function that puts a body into it, its width, and how far rows are apart. */
export function frame({ columns, rows, title = 'kprobe' }) {
  const width = round(columns * CELL.width + 2 * MARGIN);
  const height = round(rows * CELL.height + 2 * MARGIN);
  const styles = Object.entries(COLORS).map(([name, color]) => `.c${name}{fill:${color}}`);
  const svg = (body) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escape(title)}">
<rect width="100%" height="100%" rx="8" fill="${COLORS.background}"/>
<style>text { white-space: pre }.b{font-weight:bold}${styles.join('')}</style>
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="${COLORS.foreground}">
${body}</g>
</svg>
`;
  return { svg, width, rowHeight: CELL.height };
}

/** The rows of a capture, each as if it was the first. */
export function rowsSvg(capture, rows) {
  const lines = capture.replace(/\n$/, '').split('\n').slice(0, rows);
  // A style holds until it is changed, also in the next row.
  let style = {};
  return lines.map((line) => {
    const row = runs(line, style);
    style = row.style;
    return rowSvg(row.found);
  });
}

function rowSvg(parts) {
  const baseline = MARGIN + 13.5;
  let svg = '';
  for (const { text, column, width, style } of parts) {
    if (text.trim() === '' && !style.inverse) continue;
    const x = round(MARGIN + column * CELL.width);
    const ink = style.color ?? (style.dim ? 'dim' : 'foreground');
    if (style.inverse) {
      svg += `<rect x="${x}" y="${MARGIN}" width="${round(width * CELL.width)}" height="${CELL.height}" class="c${ink}"/>`;
    }
    const shown = style.inverse ? 'background' : ink;
    const classes = [
      ...(shown === 'foreground' ? [] : [`c${shown}`]),
      ...(style.bold ? ['b'] : []),
    ];
    const look = classes.length === 0 ? '' : ` class="${classes.join(' ')}"`;
    // The length holds the columns whatever font there is.
    svg += `<text x="${x}" y="${baseline}"${look} textLength="${round(width * CELL.width)}" lengthAdjust="spacingAndGlyphs">${escape(text)}</text>`;
  }
  return svg;
}

/** Pieces of one style, with the column at which each begins. */
function runs(line, before) {
  const found = [];
  let style = before;
  let column = 0;

  for (const [part, codes] of line.matchAll(/\x1b\[([\d;]*)m|[^\x1b]+/g)) {
    if (codes !== undefined) {
      style = codes.split(';').reduce(apply, style);
      continue;
    }
    const width = Array.from(part).length;
    found.push({ text: part, column, width, style });
    column += width;
  }
  return { found, style };
}

function apply(style, code) {
  const n = Number(code);
  switch (true) {
    case n === 0:
      return {};
    case n === 1:
      return { ...style, bold: true };
    case n === 2:
      return { ...style, dim: true };
    case n === 7:
      return { ...style, inverse: true };
    case n === 22:
      return { ...style, bold: false, dim: false };
    case n === 27:
      return { ...style, inverse: false };
    case n >= 30 && n <= 37:
      return { ...style, color: n };
    case n === 39:
      return { ...style, color: undefined };
    default:
      return style;
  }
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function round(n) {
  return Math.round(n * 10) / 10;
}
