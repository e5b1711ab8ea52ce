import type { Admission } from '../../src/api/admission/admission.js';
import { podKind } from '../../src/api/admission/kinds.js';
import { decodeMessage, strictMessage } from '../../src/api/decode/server-messages.js';
import { goQuote } from '../../src/api/go-text.js';
import { warningText } from '../../src/api/warnings/warning.js';
import { LineMap } from '../../src/manifest/line-map.js';
import { type ManifestObject, readObjects } from '../../src/manifest/manifest-object.js';
import { readDocuments } from '../../src/manifest/read-documents.js';
import { SourceFile } from '../../src/manifest/source-file.js';

export interface Verdict {
  readonly doc: number;
  readonly item?: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly phase: 'decode' | 'validate' | 'created';
  readonly decode?: string;
  readonly strict: readonly string[];
  readonly errors: readonly { type: string; field: string; detail: string; message: string }[];
  readonly warnings: readonly string[];
  readonly admission: Admission;
}

/** The UID that the oracle gives everything. */
const FIXED_UID = '00000000-0000-0000-0000-000000000000';

/** What the API server would say of each pod or workload of a text, as the oracle writes it down. */
export function verdicts(text: string): readonly Verdict[] {
  return readObjects(new SourceFile({ file: '', text })).flatMap((object) => {
    const kind = podKind(object.kind);
    return kind?.apiVersion === object.apiVersion ? [verdict(text, object)] : [];
  });
}

function verdict(text: string, object: ManifestObject): Verdict {
  const { document: doc, item, apiVersion, kind } = object;
  const admission = podKind(kind)!.admit(object.node, { uid: FIXED_UID });
  const decode = decodeMessage(admission.issues);
  const strict = decode === undefined ? strictErrors(text, object, admission) : [];
  const errors = decode === undefined ? admission.errors : [];
  const phase =
    decode !== undefined || strict.length > 0
      ? 'decode'
      : errors.length > 0
        ? 'validate'
        : 'created';
  return {
    doc,
    ...(item !== '' && { item }),
    apiVersion,
    kind,
    phase,
    ...(decode !== undefined && { decode }),
    strict,
    errors: errors.map(({ type, field, detail, message }) => ({ type, field, detail, message })),
    warnings: admission.warnings.map(warningText),
    admission,
  };
}

/** Strict errors of YAML come before those of decoding, and only for what is sent as YAML: not for items. */
function strictErrors(text: string, object: ManifestObject, admission: Admission): string[] {
  const own = admission.issues.flatMap((issue) => strictMessage(issue) ?? []);
  return object.item === '' ? [...yamlErrors(text, object.document), ...own] : own;
}

/** Ports the text of yaml.TypeError for keys that are already set; its lines are the document's. */
export function yamlErrors(text: string, document: number): string[] {
  const read = readDocuments(text)[document];
  if (read?.kind !== 'read' || read.duplicates.length === 0) return [];
  const lines = new LineMap(text);
  const before = lines.positionAt(read.start).line - 1;
  const errors = read.duplicates.map(({ key, valueStart }) => {
    const line = lines.positionAt(valueStart).line - before;
    return `\n  line ${line}: key ${goQuote(key)} already set in map`;
  });
  return [`yaml: unmarshal errors:${errors.join('')}`];
}
