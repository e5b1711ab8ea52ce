// Prints the JSON Schema of a diagnosis, out of its TypeScript types:
//
//     node scripts/diagnosis-schema.mjs > schemas/diagnosis.schema.json
import { fileURLToPath } from 'node:url';

import { format } from 'prettier';
import ts from 'typescript';

const SOURCE = fileURLToPath(new URL('../src/diagnosis/diagnosis-json.ts', import.meta.url));
const program = ts.createProgram([SOURCE], {
  ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, types: [] },
  ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext },
});
const checker = program.getTypeChecker();
const definitions = {};

function schemaOf(type) {
  if (type.isUnion()) return unionOf(type);
  if (type.isLiteral()) return { const: type.value };
  if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: type.intrinsicName === 'true' };
  if (type.flags & ts.TypeFlags.String) return { type: 'string' };
  if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
  if (checker.isArrayType(type)) {
    return { type: 'array', items: named(checker.getTypeArguments(type)[0]) };
  }
  return objectOf(type);
}

function unionOf({ types }) {
  const kinds = types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined));
  if (kinds.length === 2 && kinds.every(({ flags }) => flags & ts.TypeFlags.BooleanLiteral)) {
    return { type: 'boolean' };
  }
  if (kinds.length === 1) return named(kinds[0]);
  if (kinds.every((kind) => kind.isLiteral())) return { enum: kinds.map(({ value }) => value) };
  return { anyOf: kinds.map(named) };
}

function objectOf(type) {
  const properties = {};
  const required = [];
  for (const symbol of checker.getPropertiesOfType(type)) {
    const description = ts.displayPartsToString(symbol.getDocumentationComment(checker));
    const schema = named(checker.getTypeOfSymbol(symbol));
    properties[symbol.name] = { ...(description !== '' && { description }), ...schema };
    if (!(symbol.flags & ts.SymbolFlags.Optional)) required.push(symbol.name);
  }
  return { type: 'object', additionalProperties: false, required, properties };
}

/** Types that are described once. */
const NAMED = ['Fault', 'Evidence', 'NextStep', 'NextStart', 'Span', 'Socket'];
const names = new Map();

/** Identifies a type; that of an optional field is the same without undefined. */
function keyOf(type) {
  const kinds = type.isUnion() ? type.types : [type];
  return kinds.flatMap(({ id, flags }) => (flags & ts.TypeFlags.Undefined ? [] : id)).join();
}

function named(type) {
  const key = keyOf(type);
  const alias = type.aliasSymbol?.name ?? type.symbol?.name;
  if (!names.has(key) && NAMED.includes(alias)) {
    names.set(key, alias);
    definitions[alias] = {};
    definitions[alias] = schemaOf(type);
  }
  return names.has(key) ? { $ref: `#/$defs/${names.get(key)}` } : schemaOf(type);
}

const root = checker
  .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(SOURCE)))
  .find(({ name }) => name === 'DiagnosisJson');
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://raw.githubusercontent.com/kprobe/kprobe/main/schemas/diagnosis.schema.json',
  title: 'A diagnosis of kprobe',
  description:
    'What is wrong with a container, the evidence, what comes next, and the changes that help. Later versions may add kinds.',
  ...schemaOf(checker.getDeclaredTypeOfSymbol(root)),
  $defs: definitions,
};
process.stdout.write(await format(JSON.stringify(schema), { parser: 'json', printWidth: 100 }));
