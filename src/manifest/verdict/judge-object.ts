import {
  type Admission,
  type ApiServer,
  type FieldError,
  generatedName,
  type PodKind,
  podKind,
  setServiceAccount,
  warningText,
} from '../../api/admission/index.js';
import { decodeMessage, encode, strictMessage } from '../../api/decode/index.js';
import type { Decoded, v1 } from '../../api/index.js';
import { type JsonNode, memberOf, stringOf } from '../../go/json-node.js';
import { goQuote } from '../../go/quote.js';
import { admitInCluster, FIXED_UID } from '../documents/known-kinds.js';
import type { ServerAnswer, ServerStatus } from './verdict.js';

interface JudgeOptions {
  /** With the admission plugin that sets the service account of a pod. */
  readonly inCluster: boolean;
  readonly server: ApiServer | undefined;
}

/**
 * Creates a pod or a workload as the API server's create handler and its registry do, without admission plugins, or with the
 * one that sets the service account of a pod in a cluster. `yamlErrors` has the errors of strict decoding in the YAML itself.
 */
export function judgeObject(
  node: JsonNode,
  identity: Identity,
  kind: PodKind,
  yamlErrors: readonly string[],
  { inCluster, server }: JudgeOptions,
): { readonly admission: Admission; readonly answer: Partial<ServerAnswer> } {
  const shared = inCluster ? admitInCluster(node, kind, server) : undefined;
  // The admission that the lint rules share will do, unless it has rounded an integer.
  const admission =
    shared?.issues.every((issue) => issue.kind !== 'unsafe-integer') === true
      ? shared
      : kind.admit(node, {
          uid: FIXED_UID,
          integers: 'exact',
          server,
          ...(inCluster && { plugins: setServiceAccount }),
        });
  const decode = decodeMessage(admission.issues);
  if (decode !== undefined) {
    const status = badRequest(kind, decode);
    return { admission, answer: { name: identity.name, phase: 'decode', decode, status } };
  }
  const strict = [
    ...yamlErrors,
    ...admission.issues.flatMap((issue) => strictMessage(issue) ?? []),
  ];
  const name = admission.metadata.name ?? '';
  const warnings = admission.warnings.map(warningText);
  return {
    admission,
    answer: { name, ...outcome(kind, name, strict, admission), warnings },
  };
}

function outcome(
  kind: PodKind,
  name: string,
  strict: readonly string[],
  { errors, template }: Admission,
): Pick<ServerAnswer, 'ok' | 'phase' | 'strict' | 'errors' | 'status' | 'defaulted'> {
  if (strict.length > 0) {
    // Ports strictDecodingError.Error (apimachinery pkg/runtime/error.go).
    const status = badRequest(kind, `strict decoding error: ${strict.join(', ')}`);
    return { ok: false, phase: 'decode', strict, errors, status };
  }
  if (errors.length > 0) {
    const status = invalidStatus(kind, name, errors);
    return { ok: false, phase: 'validate', strict, errors, status };
  }
  const path = kind.templatePath === '' ? 'spec' : `${kind.templatePath}.spec`;
  const defaulted = template.spec && defaultedOutput(template.spec, path);
  return { ok: true, phase: 'created', strict, errors, defaulted };
}

/** Returns the answer to an object that cannot be decoded. Ports the create handler's transformDecodeError. */
function badRequest({ apiVersion, kind }: PodKind, message: string): ServerStatus {
  const version = apiVersion.split('/').at(-1) ?? '';
  const subject = `${kind} in version ${goQuote(version)} cannot be handled as a ${kind}`;
  return { code: 400, reason: 'BadRequest', message: `${subject}: ${message}` };
}

/** Returns the answer to an invalid object. Ports NewInvalid (apimachinery pkg/api/errors/errors.go). */
function invalidStatus(
  { apiVersion, kind }: PodKind,
  name: string,
  errors: readonly FieldError[],
): ServerStatus {
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0] ?? ''}` : '';
  // An aggregate has each text once.
  const texts = [...new Set(errors.map(({ message }) => message))];
  const list = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
  const message = `${kind}${group} ${goQuote(name)} is invalid: ${list}`;
  return { code: 422, reason: 'Invalid', message };
}

type PodSpec = Decoded<v1.PodSpec>;
type Container = Decoded<v1.Container>;

/** Selects the fields of a defaulted pod spec that decide when the kubelet starts, probes and stops containers. */
function defaultedOutput(spec: PodSpec, path: string): Readonly<Record<string, unknown>> {
  const { initContainers = [], containers = [] } = spec;
  return {
    path,
    restartPolicy: spec.restartPolicy,
    terminationGracePeriodSeconds: spec.terminationGracePeriodSeconds,
    dnsPolicy: spec.dnsPolicy,
    hostNetwork: spec.hostNetwork === true ? true : undefined,
    readinessGates: encodeIfSet(spec.readinessGates, '[]PodReadinessGate'),
    activeDeadlineSeconds: spec.activeDeadlineSeconds,
    initContainers: initContainers.length > 0 ? initContainers.map(containerOutput) : undefined,
    containers: containers.map(containerOutput),
  };
}

function containerOutput(container: Container): Readonly<Record<string, unknown>> {
  return {
    name: container.name ?? '',
    image: container.image ?? '',
    command: encodeIfSet(container.command, '[]string'),
    args: encodeIfSet(container.args, '[]string'),
    env: encodeIfSet(container.env, '[]EnvVar'),
    imagePullPolicy: container.imagePullPolicy,
    terminationMessagePath: container.terminationMessagePath,
    terminationMessagePolicy: container.terminationMessagePolicy,
    restartPolicy: container.restartPolicy,
    restartPolicyRules: encodeIfSet(container.restartPolicyRules, '[]ContainerRestartRule'),
    ports: encodeIfSet(container.ports, '[]ContainerPort'),
    lifecycle: encodeIfSet(container.lifecycle, 'Lifecycle'),
    startupProbe: encodeIfSet(container.startupProbe, 'Probe'),
    readinessProbe: encodeIfSet(container.readinessProbe, 'Probe'),
    livenessProbe: encodeIfSet(container.livenessProbe, 'Probe'),
  };
}

/** Returns undefined for an absent value and an empty list. */
function encodeIfSet(value: unknown, type: string): unknown {
  const isEmpty = Array.isArray(value) && value.length === 0;
  return value === undefined || isEmpty ? undefined : encode(value, type);
}

/** Type and name of an object; empty where it has none. */
export type Identity = Pick<ServerAnswer, 'apiVersion' | 'kind' | 'name'>;

export function identityOf(node: JsonNode): Identity {
  const metadata = memberOf(node, 'metadata');
  const name = stringOf(memberOf(metadata, 'name')) ?? '';
  const base = stringOf(memberOf(metadata, 'generateName')) ?? '';
  return {
    apiVersion: stringOf(memberOf(node, 'apiVersion')) ?? '',
    kind: stringOf(memberOf(node, 'kind')) ?? '',
    name: name === '' && base !== '' ? generatedName(base) : name,
  };
}

/**
 * Returns the reason why a client cannot send an object. Ports what kubectl does with UnstructuredJSONScheme (apimachinery
 * pkg/apis/meta/v1/unstructured/helpers.go). `text` is the object as JSON.
 */
export function invalidReason(
  node: JsonNode,
  { apiVersion, kind }: Identity,
  text: () => string,
): string | undefined {
  if (apiVersion.split('/').length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const mismatch = unstructuredError(node);
  if (mismatch !== undefined) return mismatch;
  if (kind === '') return `Object 'Kind' is missing in '${text()}'`;
  return apiVersion === '' ? `Object 'apiVersion' is missing in '${text()}'` : undefined;
}

/** The lists that a client takes apart: v1 List, and the lists of the kinds that are judged. */
export function isListKind(apiVersion: string, kind: string): boolean {
  if (apiVersion === 'v1' && kind === 'List') return true;
  const item = kind.endsWith('List') ? kind.slice(0, -'List'.length) : '';
  return podKind(item)?.apiVersion === apiVersion;
}

function unstructuredError(node: JsonNode): string | undefined {
  if (node.kind === 'null') return undefined;
  if (node.kind !== 'object') {
    return `json: cannot unmarshal ${node.kind} into Go value of type unstructured.detector`;
  }
  const items = memberOf(node, 'items');
  if (items === undefined || items.kind === 'null') return undefined;
  if (items.kind !== 'array') {
    const field = 'Go struct field decodeList.items of type []json.RawMessage';
    return `json: cannot unmarshal ${items.kind} into ${field}`;
  }
  const mismatched = items.items.find((item) => item.kind !== 'object' && item.kind !== 'null');
  if (mismatched === undefined) return undefined;
  return `json: cannot unmarshal ${mismatched.kind} into Go value of type map[string]interface {}`;
}
