import { fc } from '../../helpers/property.js';

/** Changes the lines of a trace, each a JSON object, in place. */
export type TraceMutation = (lines: Record<string, unknown>[]) => void;

export const HOSTILE_TEXTS = [
  'a\u001b]52;c;ZWNobyBoaQ==\u0007b',
  'a\u202eb\u2066c',
  '\u009b31mx\u0085',
  'a\nb\r\nc\u0000',
  '::stop-commands::x\n::error::y',
  '<script>alert(1)</script>&"\'',
  ']]>&#0;',
  '```\n# x\n| a |',
  '$(x) {{ y }}',
  '\ud800',
  'x'.repeat(5000),
  '',
  '__proto__',
] as const;

const NUMBERS = [
  0,
  -1,
  -0.5,
  0.001,
  1e-9,
  1,
  3600,
  604_800,
  31_535_999,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
] as const;

const place = fc.noBias(fc.nat(0x3fff_ffff)).map((part) => part / 0x4000_0000);
const number = fc.constantFrom(...NUMBERS);
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
);

function at(list: readonly unknown[], part: number): number {
  return Math.min(list.length - 1, Math.max(0, Math.floor(part * list.length)));
}

type Slot = { readonly holder: Record<string, unknown>; readonly key: string };

/** All fields of a tree. */
function slotsOf(node: unknown, found: Slot[] = []): Slot[] {
  if (typeof node !== 'object' || node === null) return found;
  const holder = node as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    if (key === 'kind' && 't' in holder) continue;
    found.push({ holder, key });
    slotsOf(holder[key], found);
  }
  return found;
}

/** Changes a field of a line to another value, mostly of its type. */
const field: fc.Arbitrary<TraceMutation> = fc
  .tuple(place, place, fc.nat(9), number, text)
  .map(([line, which, how, aNumber, aText]) => (lines) => {
    const slots = slotsOf(lines[at(lines, line)]);
    const slot = slots[at(slots, which)];
    if (slot === undefined) return;
    const { holder, key } = slot;
    const value = holder[key];
    if (how === 0) Reflect.deleteProperty(holder, key);
    else if (how === 1) holder[key] = null;
    else if (how === 2) holder[key] = typeof value === 'string' ? aNumber : aText;
    else if (typeof value === 'number') holder[key] = aNumber;
    else if (typeof value === 'string') holder[key] = how === 3 ? value + aText : aText;
    else if (typeof value === 'boolean') holder[key] = !value;
    else holder[key] = Array.isArray(value) ? [] : {};
  });

const TIMES = [1, 60, 3599, 3601, 86_400, 604_800, 31_535_000] as const;

/** Shifts the lines from one on, as a clock that jumped or a damaged time. */
const later: fc.Arbitrary<TraceMutation> = fc
  .tuple(place, fc.constantFrom(...TIMES), fc.boolean())
  .map(([from, by, alone]) => (lines) => {
    const first = at(lines, from);
    for (const line of lines.slice(first, alone ? first + 1 : lines.length)) {
      if (typeof line['t'] === 'number') line['t'] += by;
    }
  });

export const traceMutation: fc.Arbitrary<TraceMutation> = fc.oneof(
  { weight: 8, arbitrary: field },
  { weight: 3, arbitrary: later },
  {
    weight: 1,
    arbitrary: place.map((from) => (lines: unknown[]) => void lines.splice(at(lines, from), 1)),
  },
  {
    weight: 1,
    arbitrary: place.map((from) => (lines: unknown[]) => void lines.splice(1 + at(lines, from))),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(place, place).map(([from, to]) => (lines: Record<string, unknown>[]) => {
      lines.splice(at(lines, to) + 1, 0, structuredClone(lines[at(lines, from)] ?? {}));
    }),
  },
);

/** Changes the bytes of the file. */
export const textMutation: fc.Arbitrary<(text: string) => string> = fc.oneof(
  { weight: 6, arbitrary: fc.constant((whole: string) => whole) },
  {
    weight: 1,
    arbitrary: place.map((end) => (whole: string) => whole.slice(0, end * whole.length)),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(place, text).map(([from, piece]) => (whole: string) => {
      const index = Math.floor(from * whole.length);
      return whole.slice(0, index) + piece + whole.slice(index + piece.length);
    }),
  },
);
