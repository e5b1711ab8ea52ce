import type { DecodeIssue, Integers } from '../decode/decode.js';
import type { ApiServer } from '../schema/api-server.js';
import type { Decoded, v1 } from '../schema/schema.js';
import { type ApiWarning, type FieldError, FieldPath } from '../validation/common/field-error.js';

type ObjectMeta = Decoded<v1.ObjectMeta>;
type PodTemplate = Decoded<v1.PodTemplateSpec>;
type PodSpec = Decoded<v1.PodSpec>;

/** The API server's answer to the creation of an object. */
export interface Admission {
  readonly metadata: ObjectMeta;
  /** The whole object, decoded, with its defaults. */
  readonly stored: object;
  readonly replicas?: number | undefined;
  readonly serviceName?: string | undefined;
  /** The names of the claims that each pod of a StatefulSet gets. */
  readonly claims?: readonly string[] | undefined;
  /** The pod, or what the pods of a workload are made from, with its defaults. */
  readonly template: PodTemplate;
  readonly written: PodTemplate;
  readonly issues: readonly DecodeIssue[];
  /** Errors in the server's order. Empty after a value of the wrong type, which ends decoding. */
  readonly errors: readonly FieldError[];
  /** Warnings, most of them only for an object that the server accepts. */
  readonly warnings: readonly ApiWarning[];
}

export interface AdmitOptions {
  /** The UID, which a server would generate. */
  readonly uid: string;
  /** The changes of admission plugins to a pod (not a template) before it is validated. */
  readonly plugins?: (spec: PodSpec) => PodSpec;
  /** `exact` for an answer to print, `nearest` (the default) for a pod to run. */
  readonly integers?: Integers;
  readonly server?: ApiServer | undefined;
}

interface Steps extends Omit<Admission, 'template' | 'written' | 'errors' | 'warnings'> {
  readonly template: PodTemplate | undefined;
  readonly written: PodTemplate | undefined;
  readonly validate: (at: FieldPath) => void;
  readonly warn: (at: FieldPath) => void;
  readonly server?: ApiServer;
}

/** Validates an object that could be decoded, and collects the warnings of a valid one. */
export function finishAdmission(steps: Steps): Admission {
  const { template = {}, written = {}, validate, warn, server, ...details } = steps;
  const at = new FieldPath('', [], [], server);
  if (!details.issues.some((issue) => issue.kind === 'wrong-type')) {
    validate(at);
    if (at.errors.length === 0) warn(at);
  }
  return { ...details, template, written, errors: at.errors, warnings: at.warnings };
}

/** The suffix of generated names, in place of a random one. */
const GENERATED_SUFFIX = 'xxxxx';

/** Returns the name that a server generates. Ports GenerateName (apiserver pkg/storage/names). */
export function generatedName(base: string): string {
  return base.slice(0, 63 - GENERATED_SUFFIX.length) + GENERATED_SUFFIX;
}

/**
 * Sets the metadata that the server sets before validation: the namespace, a UID, and a name if there is only
 * `generateName`. Ports FillObjectMetaSystemFields (apiserver pkg/registry/rest).
 */
export function fillMeta<T extends { readonly metadata?: ObjectMeta | undefined }>(
  object: T,
  uid: string,
): T & { readonly metadata: ObjectMeta } {
  const { name, generateName, namespace } = object.metadata ?? {};
  const metadata = {
    ...object.metadata,
    name: name ?? (generateName && generatedName(generateName)),
    namespace: namespace ?? 'default',
    uid,
    generation: 1,
  };
  return { ...object, metadata };
}

const DEFAULT_SERVICE_ACCOUNT_NAME = 'default';

/**
 * Sets the service account, which every pod of a cluster has. Ports a part of Plugin.Admit
 * (plugin/pkg/admission/serviceaccount/admission.go); `serviceAccount` is the old name of the same field.
 */
export function setServiceAccount(spec: PodSpec): PodSpec {
  const name = spec.serviceAccountName ?? spec.serviceAccount ?? DEFAULT_SERVICE_ACCOUNT_NAME;
  return { ...spec, serviceAccountName: name };
}
