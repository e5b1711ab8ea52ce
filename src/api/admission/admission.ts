import type { JsonNode } from '../../go/json-node.js';
import type { Integers } from '../decode/decode.js';
import type { DecodeIssue } from '../decode/decode-issue.js';
import type { FieldError } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import type { ApiWarning } from '../warnings/warning.js';

type ObjectMeta = Decoded<'ObjectMeta'>;
type PodTemplate = Decoded<'PodTemplateSpec'>;
type PodSpec = Decoded<'PodSpec'>;

/** What the API server makes of an object that is created, and what it says. */
export interface Admission {
  readonly metadata: ObjectMeta;
  /** The whole object, decoded, with its defaults. */
  readonly stored: object;
  /** A workload's own count. */
  readonly replicas?: number | undefined;
  /** Of a StatefulSet: the domain of its pods. */
  readonly serviceName?: string | undefined;
  /** Of a StatefulSet: the names of the claims that each of its pods gets. */
  readonly claims?: readonly string[] | undefined;
  /** The pod, or what the pods of a workload are made from, with its defaults. */
  readonly template: PodTemplate;
  /** The same as it was written. */
  readonly written: PodTemplate;
  readonly issues: readonly DecodeIssue[];
  /** In the server's order; none when a value had the wrong type, since the server gets no further then. */
  readonly errors: readonly FieldError[];
  /** The errors as the server's status lists them, where these are more. */
  readonly statusErrors?: readonly FieldError[];
  /** What the server speaks up about, mostly only when it takes the object. */
  readonly warnings: readonly ApiWarning[];
}

export interface AdmitOptions {
  /** What a server would make up. */
  readonly uid: string;
  /** What admission plugins change in a pod (not in a template) before it is validated. */
  readonly plugins?: (spec: PodSpec) => PodSpec;
  /** `exact` for an answer to print, `nearest` (the default) for a pod to run. */
  readonly integers?: Integers;
}

/** Decodes, defaults and validates an object. */
export type Admit = (node: JsonNode, options: AdmitOptions) => Admission;

interface Steps {
  readonly stored: object;
  readonly object: {
    readonly metadata?: ObjectMeta | undefined;
    readonly replicas?: number | undefined;
    readonly serviceName?: string | undefined;
    readonly claims?: readonly string[] | undefined;
  };
  readonly template: PodTemplate | undefined;
  readonly written: PodTemplate | undefined;
  readonly issues: readonly DecodeIssue[];
  /** What the server said before it validated. */
  readonly preparation?: readonly ApiWarning[];
  readonly validate: () => FieldError[];
  readonly validateForStatus?: () => FieldError[];
  readonly warn: () => readonly ApiWarning[];
}

/** An admission, for which validation runs when decoding allows it. */
export function conclude(steps: Steps): Admission {
  const { stored, object, template, written, issues, preparation = [] } = steps;
  const decodable = !issues.some((issue) => issue.kind === 'wrong-type');
  const errors = decodable ? steps.validate() : [];
  return {
    metadata: object.metadata ?? {},
    stored,
    replicas: object.replicas,
    serviceName: object.serviceName,
    claims: object.claims,
    template: template ?? {},
    written: written ?? {},
    issues,
    errors,
    ...(errors.length > 0 &&
      steps.validateForStatus && { statusErrors: steps.validateForStatus() }),
    warnings: [
      ...(decodable ? preparation : []),
      ...(decodable && errors.length === 0 ? steps.warn() : []),
    ],
  };
}

/** The suffix that stands for the random one of a generated name. */
const GENERATED_SUFFIX = 'xxxxx';
const MAX_GENERATED_BASE = 63 - GENERATED_SUFFIX.length;

/**
 * What the server fills in before it validates: the namespace, a UID, a name where there is only the beginning
 * of one. Ports FillObjectMetaSystemFields and GenerateName (apiserver pkg/registry/rest, pkg/storage/names).
 */
export function fillMeta<T extends { readonly metadata?: ObjectMeta | undefined }>(
  object: T,
  uid: string,
): T & { readonly metadata: ObjectMeta } {
  const { name, generateName, namespace } = object.metadata ?? {};
  const generated = generateName && generateName.slice(0, MAX_GENERATED_BASE) + GENERATED_SUFFIX;
  const metadata = {
    ...object.metadata,
    name: name ?? generated,
    namespace: namespace ?? 'default',
    uid,
    generation: 1,
  };
  return { ...object, metadata };
}
