import {
  collectErrors,
  decode,
  endsKubelet,
  isObject,
  type Pod,
  setDefaultsPod,
  setDefaultsPodSpec,
  validatePodSpec,
} from '../../api/index.js';
import { jsonNodeOf } from '../../go/json.js';
import { parseApiStatus } from '../../kubelet/status/api-status.js';
import { RepeatedFields } from '../repeated-fields.js';
import type { TraceRecord } from '../trace-record.js';
import { number, text } from './check.js';
import { RECORD_FIELDS } from './record-fields.js';

const ALWAYS: readonly string[] = ['t', 'kind'];

type DecodedRecord =
  | { readonly kind: 'record'; readonly record: TraceRecord }
  /** A kind that this version does not know. */
  | { readonly kind: 'unknown'; readonly name: string }
  | { readonly kind: 'problem'; readonly message: string };

/** Decodes a line of a trace, whose lines before have left their fields in `repeated`. A missing field, or one of a wrong type, is a problem. */
export function decodeRecord(line: string, repeated = new RepeatedFields()): DecodedRecord {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return problem(`not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isObject(value)) return problem('not a trace line: it must be an object');
  const wrong = text(value['kind'], 'kind') ?? number(value['t'], 't');
  if (wrong !== undefined) return problem(`not a trace line: ${wrong}`);
  const kind = String(value['kind']);
  if (!isKnown(kind)) return { kind: 'unknown', name: kind };
  return decodeFields(repeated.complete(value), kind);
}

function decodeFields(
  value: Readonly<Record<string, unknown>>,
  kind: TraceRecord['kind'],
): DecodedRecord {
  const fields = Object.entries(RECORD_FIELDS[kind]);
  for (const [name, check] of fields) {
    const wrong = check(value[name], name);
    if (wrong !== undefined) return problem(`${kind}: ${wrong}`);
  }
  const known = Object.entries(value).flatMap(([name, field]) =>
    ALWAYS.includes(name) || Object.hasOwn(RECORD_FIELDS[kind], name)
      ? [[name, decodeField(kind, name, field)] as const]
      : [],
  );
  // RECORD_FIELDS mirrors the types.
  const record = Object.fromEntries(known) as unknown as TraceRecord;
  const refused = record.kind === 'pod' ? refusalOf(record.object) : undefined;
  return refused === undefined ? { kind: 'record', record } : problem(`pod: ${refused}`);
}

/** Accepts pods that only the API server would reject: they may have run anyway, unlike those that crash a kubelet. */
function refusalOf({ spec }: Pod): string | undefined {
  const errors = collectErrors('object.spec', (at) => validatePodSpec(spec, undefined, at));
  return errors.find(endsKubelet)?.message;
}

function isKnown(kind: string): kind is TraceRecord['kind'] {
  return Object.hasOwn(RECORD_FIELDS, kind);
}

function problem(message: string): DecodedRecord {
  return { kind: 'problem', message };
}

/** Decodes the fields that the trace writes in another form than the event has. */
function decodeField(kind: TraceRecord['kind'], name: string, value: unknown): unknown {
  if (kind === 'pod' && name === 'object') return decodePod(value as Pod);
  if (kind === 'status' && name === 'podStatus') {
    return parseApiStatus(decode(jsonNodeOf(value), 'PodStatus').value);
  }
  if (kind === 'attemptDone' && name === 'detail') return decodeDetail(value as WrittenDetail);
  return value;
}

/** Applies the defaults, which a pod that was written by hand may lack. */
function decodePod(object: Pod): Pod {
  const spec = setDefaultsPod(setDefaultsPodSpec(object.spec)) as Pod['spec'];
  return { ...object, spec, status: isObject(object.status) ? object.status : {} };
}

interface WrittenDetail {
  readonly body?: string;
  readonly bodyB64?: string;
}

function decodeDetail({ body, bodyB64, ...rest }: WrittenDetail): object {
  if (body !== undefined) return { ...rest, body: new TextEncoder().encode(body) };
  const bytes = bodyB64 === undefined ? undefined : bytesOf(bodyB64);
  return bytes === undefined ? rest : { ...rest, body: bytes };
}

/** Returns undefined when the text is not base64. */
function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
