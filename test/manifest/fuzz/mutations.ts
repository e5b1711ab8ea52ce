import type { JsonNode } from '../../../src/go/json-node.js';
import { dumpYaml } from '../../../src/manifest/documents/dump-yaml.js';
import { readDocuments } from '../../../src/manifest/documents/read-documents.js';
import { decodeText } from '../../../src/manifest/documents/source-file.js';
import { fc } from '../../helpers/property.js';

/** Changes a text. */
export type Mutation = (text: string) => string;

/** Tokens that have caused errors in YAML, JSON and JavaScript parsers. */
const TOKENS = [
  ...[
    '&a ',
    '*a',
    '<<: *a',
    '<<: {}',
    '!!binary ',
    '!!set ',
    '!!int ',
    '!x ',
    '- ',
    '? ',
    ': ',
    '| ',
    '>-\n',
    '#',
    ' #',
  ],
  ...[
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    ',',
    '\t',
    '\n',
    '\r',
    '\r\n',
    '\n---\n',
    '\n...\n',
    '--- ',
    '%YAML 1.2\n',
    '%TAG ! x\n',
  ],
  ...[
    '\u0000',
    '\u0007',
    '\u001b[2J',
    '\u0085',
    '\u2028',
    '\u202e',
    '\ufeff',
    '\ufffd',
    '\ud800',
    '\u{1f600}',
  ],
  ...[
    '__proto__: ',
    'constructor: ',
    'toString: ',
    'hasOwnProperty: ',
    'length: ',
    'prototype',
    '"__proto__"',
  ],
  ...[
    '~',
    'null',
    'yes',
    'off',
    '.nan',
    '-.inf',
    '0x1F',
    '0o17',
    '0b1',
    '1_000',
    '190:20:30',
    '2001-01-01',
    '1e999',
  ],
  ...[
    '9223372036854775808',
    '-9223372036854775809',
    '4294967296',
    '1e400',
    '0.1',
    '-1',
    '99999999999999999999999',
  ],
  ...[
    '{{ .Values.x }}',
    '$(VAR)',
    '[[[[[[',
    '{{{{{{',
    '- - - - ',
    'a: b: c',
    '&a &b ',
    '*a *b',
    '? ? ? ',
  ],
  ...[
    'livenessProbe: ',
    'containers: ',
    'kind: List\nitems: ',
    'kind: ',
    'apiVersion: v1',
    'spec: ',
    'name: ',
  ],
] as const;

/** Forms of numbers that YAML, JSON, Go and JavaScript read differently, and values at limits. */
const NUMBERS = [
  ...['0', '-0', '+1', '01', '0o7', '0x10', '1_0', '1.', '.5', '1e2', '1E+2', '1.0', '1e-400'],
  ...['2147483648', '9007199254740993', '1:30', '"5"', "'5'", '5s', '٣', '5\ud800', '!!int "5"'],
] as const;

/** A relative position from 0 to 1. */
const place = fc.noBias(fc.nat(0x3fff_ffff)).map((part) => part / 0x4000_0000);
const token = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TOKENS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
);

const textMutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.tuple(place, token).map(
    ([at, piece]) =>
      (text: string) =>
        splice(text, at, 0, piece),
  ),
  fc.tuple(place, fc.nat(40)).map(
    ([at, size]) =>
      (text: string) =>
        splice(text, at, size, ''),
  ),
  fc.tuple(place, fc.nat(12), token).map(
    ([at, size, piece]) =>
      (text: string) =>
        splice(text, at, size, piece),
  ),
  fc.tuple(place, place, fc.nat(200)).map(([from, to, size]) => (text: string) => {
    const start = Math.floor(from * text.length);
    return splice(text, to, 0, text.slice(start, start + size));
  }),
  fc.tuple(place, fc.integer({ min: -4, max: 4 })).map(
    ([at, by]) =>
      (text: string) =>
        indent(text, at, by),
  ),
  fc.tuple(place, place).map(
    ([a, b]) =>
      (text: string) =>
        swapLines(text, a, b),
  ),
  // Repeats a line, and so a key.
  fc.tuple(place).map(([at]) => (text: string) => {
    const lines = text.split('\n');
    const index = Math.floor(at * lines.length);
    return lines.toSpliced(index, 0, lines[index] ?? '').join('\n');
  }),
  // Writes a number in another form.
  fc.tuple(place, fc.constantFrom(...NUMBERS)).map(([at, form]) => (text: string) => {
    const found = [...text.matchAll(/(?<=[\s:])\d+\b/g)];
    const { index, 0: old = '' } = found[Math.floor(at * found.length)] ?? {};
    return index === undefined
      ? text
      : text.slice(0, index) + form + text.slice(index + old.length);
  }),
  fc.tuple(place, fc.nat(9)).map(([at, often]) => (text: string) => {
    return often > 0 ? text : text.slice(0, Math.floor(at * text.length));
  }),
);

function splice(text: string, at: number, size: number, piece: string): string {
  const start = Math.floor(at * (text.length + 1));
  return text.slice(0, start) + piece + text.slice(start + size);
}

function indent(text: string, at: number, by: number): string {
  const lines = text.split('\n');
  const index = Math.floor(at * lines.length);
  const line = lines[index] ?? '';
  lines[index] = by > 0 ? ' '.repeat(by) + line : line.slice(Math.min(-by, line.search(/\S|$/)));
  return lines.join('\n');
}

function swapLines(text: string, a: number, b: number): string {
  const lines = text.split('\n');
  const [i, j] = [Math.floor(a * lines.length), Math.floor(b * lines.length)];
  [lines[i], lines[j]] = [lines[j] ?? '', lines[i] ?? ''];
  return lines.join('\n');
}

const byteMutation: fc.Arbitrary<Mutation> = fc
  .array(fc.tuple(place, fc.nat(255), fc.constantFrom('set', 'insert', 'drop')), {
    minLength: 1,
    maxLength: 8,
  })
  .map((changes) => (text: string) => {
    const bytes = [...Buffer.from(text)];
    for (const [at, byte, how] of changes) {
      const index = Math.floor(at * bytes.length);
      bytes.splice(index, how === 'insert' ? 0 : 1, ...(how === 'drop' ? [] : [byte]));
    }
    return decodeText(Uint8Array.from(bytes));
  });

/** Unusual field values. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    '',
    ' ',
    '0',
    '-',
    'a/b',
    '\u001b[31m',
    [],
    {},
    [null],
    [[]],
    { a: null },
  ),
  fc.constantFrom<unknown>(
    'x'.repeat(300),
    '1e999',
    '100m',
    '0.0.0.0/33',
    'Always',
    '$(A)',
    'HTTP',
    65_536,
    [{}],
    [''],
    { '': '' },
    '\ud800',
    '__proto__',
    { ['__proto__']: { polluted: 1 } },
  ),
  fc
    .anything({ maxDepth: 2, withNullPrototype: false })
    .map((value) => JSON.parse(JSON.stringify([value])) as unknown),
);

const treeMutation: fc.Arbitrary<Mutation> = fc
  .tuple(
    fc.array(fc.tuple(place, odd, fc.constantFrom('set', 'drop', 'rename', 'wrap', 'repeat')), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.boolean(),
  )
  .map(([changes, asJson]) => (text: string) => {
    const [first] = readDocuments(text);
    if (first?.kind !== 'read' || first.node.kind !== 'object') return text;
    const tree = plain(first.node) as object;
    for (const [at, value, how] of changes) changeTree(tree, at, value, how);
    return asJson ? JSON.stringify(tree) : dumpYaml(tree);
  });

function plain(node: JsonNode): unknown {
  switch (node.kind) {
    case 'null':
      return null;
    case 'number':
      return Number(node.literal);
    case 'array':
      return node.items.map(plain);
    case 'object':
      return Object.fromEntries(node.members.map(({ key, value }) => [key, plain(value)]));
    case 'bool':
    case 'string':
      return node.value;
  }
}

interface Slot {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function changeTree(tree: object, at: number, value: unknown, how: string): void {
  const slots = slotsOf(tree);
  const slot = slots[Math.floor(at * slots.length)];
  if (slot === undefined) return;
  const { holder, key } = slot;
  const old = holder[key];
  // Cloned, since a value that is set twice could contain itself.
  if (how === 'set') holder[key] = structuredClone(value);
  else if (how === 'wrap') holder[key] = [old];
  else if (how === 'repeat')
    holder[key] = Array.isArray(old) ? [...(old as unknown[]), ...(old as unknown[])] : [old, old];
  else if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else {
    Reflect.deleteProperty(holder, key);
    if (how === 'rename') holder[`${key}x`] = old;
  }
}

function slotsOf(value: unknown): readonly Slot[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...slotsOf(holder[key])]);
}

/** One to three mutations in sequence. */
export const mutations: fc.Arbitrary<Mutation> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: textMutation },
      { weight: 3, arbitrary: treeMutation },
      { weight: 1, arbitrary: byteMutation },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((list) => (text) => list.reduce((current, mutate) => mutate(current), text));
