/**
 * A captured terminal screen as SVG.
 *
 * `capture`: rows as `tmux capture-pane -e -p` prints them, with SGR sequences.
 */
const CELL = { width: 8.4, height: 18 };
const MARGIN = 12;

const THEMES = {
  dark: {
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
  },
  light: {
    background: '#ffffff',
    foreground: '#1f2328',
    dim: '#6e7781',
    30: '#1f2328',
    31: '#cf222e',
    32: '#1a7f37',
    33: '#9a6700',
    34: '#0969da',
    35: '#8250df',
    36: '#1b7c83',
    37: '#6e7781',
  },
};

export function ansiToSvg(capture, { columns, rows, theme = 'dark', title = 'kprobe' }) {
  const colors = THEMES[theme];
  const width = columns * CELL.width + 2 * MARGIN;
  const height = rows * CELL.height + 2 * MARGIN;
  const lines = capture.replace(/\n$/, '').split('\n').slice(0, rows);
  // A style holds until it is changed, also in the next row.
  let style = {};
  const body = lines
    .map((line, y) => {
      const row = runs(line, style);
      style = row.style;
      return rowSvg(row.found, y, colors);
    })
    .join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${round(height)}" viewBox="0 0 ${round(width)} ${round(height)}" role="img" aria-label="${escape(title)}">
<rect width="100%" height="100%" rx="8" fill="${colors.background}"/>
<style>text { white-space: pre }</style>
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="${colors.foreground}">
${body}</g>
</svg>
`;
}

function rowSvg(parts, y, colors) {
  const baseline = MARGIN + y * CELL.height + 13.5;
  let svg = '';
  for (const { text, column, width, style } of parts) {
    if (text.trim() === '' && !style.inverse) continue;
    const x = round(MARGIN + column * CELL.width);
    const ink = style.color ? colors[style.color] : style.dim ? colors.dim : colors.foreground;
    if (style.inverse) {
      svg += `<rect x="${x}" y="${round(baseline - 13.5)}" width="${round(width * CELL.width)}" height="${CELL.height}" fill="${ink}"/>`;
    }
    const fill = style.inverse ? colors.background : ink;
    const weight = style.bold ? ' font-weight="bold"' : '';
    // The length holds the columns whatever font there is.
    svg += `<text x="${x}" y="${round(baseline)}" fill="${fill}"${weight} textLength="${round(width * CELL.width)}" lengthAdjust="spacingAndGlyphs">${escape(text)}</text>`;
  }
  return svg === '' ? '' : `${svg}\n`;
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
