import { type ApiServer, type PodKind, podKind } from '../../api/admission/index.js';
import { decode, decodeMessage, strictMessage } from '../../api/decode/index.js';
import { jsonText, parseJson } from '../../go/json.js';
import { type JsonMember, type JsonNode, memberOf } from '../../go/json-node.js';
import type { DuplicateKey } from '../../go/yaml/decode-tree.js';
import type { CustomKinds } from '../crds/custom-kinds.js';
import { classify, groupVersion, isServed, noMatchMessage } from '../documents/known-kinds.js';
import { documentsOf, type ReadDocument } from '../documents/read-documents.js';
import type { ManifestSource } from '../documents/source-file.js';
import {
  type Identity,
  identityOf,
  invalidReason,
  isListKind,
  judgeObject,
} from './judge-object.js';
import type { ObjectVerdict, ServerAnswer } from './verdict.js';

/**
 * The form in which a document is sent: `direct`, as written; `kubectl`, as the JSON that kubectl makes of it, without
 * duplicate keys; `cluster`, as written, to a server whose admission plugin sets the service account.
 */
export type Form = 'direct' | 'kubectl' | 'cluster';

interface Origin {
  readonly text: string;
  readonly isJson: boolean;
  readonly form: Form;
  readonly customKinds: CustomKinds | undefined;
  readonly server: ApiServer | undefined;
}

interface SentObject {
  readonly node: JsonNode;
  /** Returns the object as JSON, for messages that quote it. */
  readonly json: () => string;
  readonly at: Pick<ServerAnswer, 'doc' | 'item'>;
  readonly strict: readonly string[];
}

/**
 * Returns the verdict on each object of a file, which is split as `kubectl -f` does. The verdicts on a list's items follow
 * that on the list.
 */
export function judgeDocuments(
  source: ManifestSource,
  form: Form,
  {
    customKinds,
    server,
  }: { customKinds?: CustomKinds | undefined; server?: ApiServer | undefined },
): readonly ObjectVerdict[] {
  const documents = documentsOf(source);
  const judged = documents.flatMap((read, doc) =>
    judgeDocument(read, doc, { text: source.text, form, customKinds, server }),
  );
  if (judged.some(({ verdict: { phase } }) => phase !== 'empty' && phase !== 'list')) return judged;
  const nothing = serverAnswer({ doc: documents.length, decode: 'no objects passed' });
  return [...judged, { verdict: nothing }];
}

function judgeDocument(
  read: ReadDocument,
  doc: number,
  source: Omit<Origin, 'isJson'>,
): readonly ObjectVerdict[] {
  if (read.kind === 'broken') {
    const verdict = serverAnswer({ doc, decode: read.problem.server });
    return [{ verdict, problem: read.problem }];
  }
  const { node, isJson } = read;
  const origin = { ...source, isJson };
  if (node.kind === 'null') return [{ verdict: serverAnswer({ doc, ok: true, phase: 'empty' }) }];
  const duplicates = source.form === 'kubectl' ? [] : read.duplicates;
  const strict = yamlErrors(duplicates);
  const [first, ...items] = judgeNode(
    { node, json: () => jsonOf(node, origin), at: { doc }, strict },
    origin,
  );
  return first === undefined ? items : [{ ...first, duplicates }, ...items];
}

/** Returns a value as the client has it: JSON as written in the text, or converted YAML. */
function jsonOf(node: JsonNode, { text, isJson }: Origin): string {
  return isJson ? text.slice(node.start, parseJson(text, node.start)?.end) : jsonText(node);
}

/** Returns a verdict with its fields in the order in which they are printed. */
function serverAnswer(answer: Partial<ServerAnswer> & SentObject['at']): ServerAnswer {
  const { doc, item, apiVersion = '', kind = '', name = '', ok = false, phase = 'parse' } = answer;
  const { decode, strict = [], errors = [], warnings = [], status, items, defaulted } = answer;
  const head = { doc, item, apiVersion, kind, name, ok, phase, decode };
  return { ...head, strict, errors, warnings, status, items, defaulted };
}

function judgeNode(sent: SentObject, origin: Origin): readonly ObjectVerdict[] {
  const { node, at, json } = sent;
  const identity = identityOf(node);
  const { apiVersion, kind } = identity;
  const base = { ...at, ...identity };
  if (isListKind(apiVersion, kind)) return judgeList(sent, base, origin);
  const invalid = invalidReason(node, identity, json);
  if (invalid !== undefined) return [{ verdict: serverAnswer({ ...base, decode: invalid }), node }];
  const version = groupVersion(apiVersion);
  const builtIn = podKind(kind);
  if (builtIn?.apiVersion === version) return [judgeKind(sent, base, builtIn, origin)];
  if (isServed(version, kind)) {
    return [{ verdict: serverAnswer({ ...base, ok: true, phase: 'other' }), node }];
  }
  const found = origin.customKinds?.find(identity) ?? classify(identity);
  if (found.kind === 'pod') return [judgeKind(sent, base, found.podKind, origin)];
  const verdict = serverAnswer({ ...base, decode: noMatchMessage(identity) });
  return [{ verdict, node, noMatch: found }];
}

function judgeKind(
  { node, strict }: SentObject,
  base: SentObject['at'] & Identity,
  kind: PodKind,
  { form, server }: Origin,
): ObjectVerdict {
  const body = form === 'kubectl' ? kubectlForm(node) : node;
  const { answer, admission } = judgeObject(body, base, kind, strict, {
    inCluster: form === 'cluster',
    server,
  });
  return { verdict: serverAnswer({ ...base, ...answer }), node, admission };
}

/** Ports what a client does with a List: each item is sent separately, as JSON. */
function judgeList(
  { node, at, strict }: SentObject,
  base: SentObject['at'] & Identity,
  origin: Origin,
): readonly ObjectVerdict[] {
  const { issues } = decode(node, 'List');
  const message = decodeMessage(issues);
  if (message !== undefined) {
    return [{ verdict: serverAnswer({ ...base, strict, decode: message }), node, issues }];
  }
  const found = memberOf(node, 'items');
  const items = found?.kind === 'array' ? found.items : [];
  const listErrors =
    origin.form === 'direct' ? issues.flatMap((each) => strictMessage(each) ?? []) : [];
  const all = [...strict, ...listErrors];
  const list = { ...base, ok: all.length === 0, phase: 'list', strict: all } as const;
  const judged = items.flatMap((item, index) => {
    const place = at.item === undefined ? String(index) : `${at.item}.${index}`;
    return judgeNode(asItem(item, base, { doc: at.doc, item: place }, origin), origin);
  });
  return [{ verdict: serverAnswer({ ...list, items: items.length }), node, issues }, ...judged];
}

/** Returns an item of a list; one of a typed list gets the list's kind if it names none. */
function asItem(item: JsonNode, list: Identity, at: SentObject['at'], origin: Origin): SentObject {
  const json = (): string => jsonOf(item, origin);
  const { apiVersion, kind } = identityOf(item);
  if (list.kind === 'List' || item.kind !== 'object' || apiVersion !== '' || kind !== '') {
    return { node: item, json, at, strict: [] };
  }
  const { start } = item;
  const meta = { kind: list.kind.slice(0, -'List'.length), apiVersion: list.apiVersion };
  const head = Object.entries(meta).map(
    ([key, value]) => ({ key, keyStart: start, value: { kind: 'string', start, value } }) as const,
  );
  const rest = (): string => json().slice(1).trimStart();
  const comma = item.members.length === 0 ? '' : ',';
  return {
    node: { ...item, members: [...head, ...item.members] },
    json: () =>
      `{${jsonText({ kind: 'object', start, members: head }).slice(1, -1)}${comma}${rest()}`,
    at,
    strict: [],
  };
}

/** Ports the text of yaml.TypeError for keys that are already set; its lines are the document's own. */
function yamlErrors(duplicates: readonly DuplicateKey[]): readonly string[] {
  if (duplicates.length === 0) return [];
  const errors = duplicates.map(
    ({ key, line }) => `\n  line ${line}: key ${key} already set in map`,
  );
  return [`yaml: unmarshal errors:${errors.join('')}`];
}

/**
 * Returns the JSON that kubectl sends: read without checking for duplicate keys (the last one
 * counts) and written again, keys sorted. Ports a decoding and an encoding by UnstructuredJSONScheme.
 */
export function kubectlForm(node: JsonNode): JsonNode {
  switch (node.kind) {
    case 'array':
      return { ...node, items: node.items.map(kubectlForm) };
    case 'object':
      return { ...node, members: sortedMembers(node.members) };
    case 'number':
      return { ...node, literal: goNumber(node.literal) };
    case 'null':
    case 'bool':
    case 'string':
      return node;
  }
}

function sortedMembers(members: readonly JsonMember[]): readonly JsonMember[] {
  const last = new Map(members.map((member) => [member.key, member]));
  return [...last.values()]
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map((member) => ({ ...member, value: kubectlForm(member.value) }));
}

/** Keeps an int64; converts any other number to a float64. */
function goNumber(literal: string): string {
  if (/^-?\d+$/.test(literal)) {
    const integer = BigInt(literal);
    if (BigInt.asIntN(64, integer) === integer) return String(integer);
  }
  const value = Number(literal);
  // encoding/json writes each float64 as JavaScript does, except this one.
  return Object.is(value, -0) ? '-0' : String(value);
}
