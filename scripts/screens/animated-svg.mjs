/**
 * A recording of a terminal as an animated SVG: a strip of frames that moves by one frame at a time, with CSS alone, because
 * pages show it as an image. The packages for this (svg-term, termtosvg) have had no release for five years.
 */
import { frame, rowsSvg } from './ansi-svg.mjs';

/**
 * `frames`: captures with their times in ms, and names where they have some; `end`: when the last one is over; `still`: the number of the frame that is shown
 * where motion is not wanted.
 */
export function animatedSvg(frames, { columns, rows, end, still, title }) {
  const numbers = new Map();
  const strip = frames.map(({ capture }) =>
    rowsSvg(capture, rows).map((row) => {
      if (!numbers.has(row)) numbers.set(row, numbers.size);
      return numbers.get(row);
    }),
  );
  const { svg, width, rowHeight } = frame({ columns, rows, title });
  const shift = (n) => `transform:translateX(${-n * width}px)`;
  const steps = frames.map(({ time }, n) => `${((time / end) * 100).toFixed(2)}%{${shift(n)}}`);
  const defs = [...numbers].map(([row, n]) => `<g id="r${n}">${row}</g>`);
  const shown = strip.map((row, n) => {
    const uses = row.map((id, y) => (id === numbers.get('') ? '' : use(id, y * rowHeight)));
    const name = frames[n].name === undefined ? '' : ` id="${frames[n].name}"`;
    return `<g transform="translate(${n * width})"${name}>${uses.join('')}</g>`;
  });
  return svg(`<style>
@keyframes play{${steps.join('')}100%{${shift(frames.length - 1)}}}
#strip{animation:play ${(end / 1000).toFixed(1)}s step-end infinite}
@media (prefers-reduced-motion:reduce){#strip{animation:none;${shift(still)}}}
</style>
<defs>
${defs.join('\n')}
</defs>
<g id="strip">
${shown.join('\n')}
</g>
`);
}

function use(id, y) {
  return `<use href="#r${id}" y="${y}"/>`;
}

/** Returns the texts of the frames of such an SVG that have names. */
export function textsOf(svg) {
  const rows = new Map(
    [...svg.matchAll(/<g id="r(\d+)">(.*)<\/g>/g)].map(([, id, row]) => [id, rowText(row)]),
  );
  return new Map(
    [...svg.matchAll(/<g transform="[^"]*" id="(.+?)">(.*)<\/g>/g)].map(([, name, uses]) => [
      name,
      [...uses.matchAll(/href="#r(\d+)"/g)].map(([, id]) => rows.get(id)).join('\n'),
    ]),
  );
}

function rowText(row) {
  const texts = [...row.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);
  return texts.join(' ').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
