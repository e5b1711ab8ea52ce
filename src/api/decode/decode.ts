import type { JsonMember, JsonNode } from '../../go/json-node.js';
import { goQuote } from '../../go/quote.js';
import { type ApiServer, isServerSince, treatmentOf } from '../schema/api-server.js';
import type { Scenario } from '../schema/scenario-types.js';
import {
  type Decoded,
  fieldsOf,
  type GoType,
  goType,
  type Scalar,
  SCALAR_ZERO,
} from '../schema/schema.js';
import type * as v1 from '../schema/types.js';
import { isObject } from '../values/objects.js';
import { decodeScalar } from './decode-scalar.js';

/** A problem that strict decoding found; `start` is its offset in the text. */
export type DecodeIssue =
  | {
      readonly kind: 'unknown-field';
      readonly path: string;
      readonly start: number;
      readonly name: string;
      /** The type of the object, and of those around it, the innermost first. */
      readonly structs: readonly string[];
      /** The fields that a custom resource has at that path. */
      readonly names?: readonly string[];
      readonly since?: string;
    }
  /** A field that strict decoding accepts and the server drops, because a feature gate is off. */
  | {
      readonly kind: 'dropped-field';
      readonly path: string;
      readonly start: number;
      readonly gate: string;
    }
  | { readonly kind: 'duplicate-field'; readonly path: string; readonly start: number }
  | {
      readonly kind: 'wrong-type';
      readonly path: string;
      readonly start: number;
      readonly found: JsonNode;
      readonly wanted: string;
      readonly message: string;
      /** Go's decoder stops here and reports no other problem. */
      readonly fatal: boolean;
    }
  | {
      readonly kind: 'unsafe-integer';
      readonly path: string;
      readonly start: number;
      readonly literal: string;
    };

export interface DecodedTypes {
  readonly ConfigMap: v1.ConfigMap;
  readonly CronJob: v1.CronJob;
  readonly DaemonSet: v1.DaemonSet;
  readonly Deployment: v1.Deployment;
  readonly Job: v1.Job;
  readonly List: unknown;
  readonly ObjectMeta: v1.ObjectMeta;
  readonly Pod: v1.Pod;
  readonly PodStatus: v1.PodStatus;
  readonly PodTemplate: v1.PodTemplate;
  readonly PodTemplateSpec: v1.PodTemplateSpec;
  readonly ReplicaSet: v1.ReplicaSet;
  readonly ReplicationController: v1.ReplicationController;
  readonly Scenario: Scenario;
  readonly Secret: v1.Secret;
  readonly StatefulSet: v1.StatefulSet;
}

interface DecodeResult<Value> {
  readonly value: Decoded<Value>;
  readonly issues: readonly DecodeIssue[];
}

/** The decoder's position: the path that strict errors name, and the structs and fields that Go's type errors name. */
interface Place {
  readonly path: string;
  readonly structs: readonly string[];
  readonly fields: readonly string[];
}

/**
 * The value for an int64 that is no safe integer: `nearest` is the nearest safe integer, with an issue; `exact` is a
 * bigint where the type says number, for code that compares and prints it.
 */
export type Integers = 'nearest' | 'exact';

/**
 * Decodes a value into a struct of the API, strictly: every unknown field, every duplicate key and
 * every wrong type is an issue, and everything else is kept. A zero that Go can't distinguish from an absent value is
 * left out. Without a server, the fields of all releases are known. Ports UnmarshalStrict (sigs.k8s.io/json).
 */
export function decode<Name extends keyof DecodedTypes>(
  node: JsonNode,
  name: Name,
  integers: Integers = 'nearest',
  server?: ApiServer,
): DecodeResult<DecodedTypes[Name]> {
  const issues: DecodeIssue[] = [];
  const place: Place = { path: '', structs: [], fields: [] };
  const value = new Decoder(issues, integers, server).decode(node, goType(name), place) ?? {};
  // The decoder follows the tables that the types are generated from.
  return { value: value as Decoded<DecodedTypes[Name]>, issues };
}

class Decoder {
  /** Errors of earlier releases name a field without the embedded structs that have it. */
  readonly #namesEmbedded: boolean;

  constructor(
    readonly issues: DecodeIssue[],
    readonly integers: Integers,
    readonly server: ApiServer | undefined,
  ) {
    this.#namesEmbedded = server === undefined || isServerSince('1.35', server);
  }

  decode(node: JsonNode, type: GoType, place: Place): unknown {
    if (node.kind === 'null') return undefined;
    switch (type.kind) {
      case 'pointer':
        return this.decode(node, type.element, place) ?? zeroOf(type.element);
      case 'list':
        return node.kind === 'array'
          ? this.#list(node.items, type.element, place)
          : this.#mismatch(node, type.name, place);
      case 'map':
        return node.kind === 'object'
          ? this.#map(node.members, type.element, place)
          : this.#mismatch(node, type.name, place);
      case 'struct':
        return node.kind === 'object'
          ? this.#struct(node.members, type.struct, place)
          : this.#mismatch(node, type.name, place);
      case 'scalar':
        return this.#scalar(node, type, place);
    }
  }

  #list(items: readonly JsonNode[], element: GoType, place: Place): unknown {
    return items.map((item, index) => {
      const value = this.decode(item, element, { ...place, path: `${place.path}[${index}]` });
      return value ?? zeroOf(element);
    });
  }

  #map(members: readonly JsonMember[], element: GoType, place: Place): unknown {
    this.#reportDuplicates(members, place);
    const entries = members.map(({ key, value }) => {
      const decoded = this.decode(value, element, { ...place, path: join(place.path, key) });
      return [key, decoded ?? zeroOf(element)] as const;
    });
    return Object.fromEntries(entries);
  }

  #struct(members: readonly JsonMember[], struct: string, place: Place): unknown {
    this.#reportDuplicates(members, place);
    const fields = fieldsOf(struct);
    const structs = [struct, ...place.structs];
    const value: Record<string, unknown> = {};
    for (const member of members) {
      const { key, keyStart: start } = member;
      const path = join(place.path, key);
      const field = fields.get(key);
      if (field === undefined) {
        this.issues.push({ kind: 'unknown-field', path, start, name: key, structs });
        continue;
      }
      const scalar = 'value' in member.value ? member.value.value : undefined;
      const treatment = treatmentOf(struct, key, this.server, scalar, place.fields);
      if (treatment.kind === 'unknown') {
        const { since } = treatment;
        this.issues.push({ kind: 'unknown-field', path, start, name: key, structs, since });
        continue;
      }
      const embedded = this.#namesEmbedded ? field.embedded : [];
      const inner = { path, structs, fields: [...place.fields, ...embedded, key] };
      const before = this.issues.length;
      const decoded = this.decode(member.value, field.type, inner);
      if (treatment.kind === 'dropped') {
        this.issues.push({ kind: 'dropped-field', path, start, gate: treatment.gate });
        continue;
      }
      const isEmptied =
        HOOKS.includes(key) &&
        isObject(decoded) &&
        Object.keys(decoded).length === 0 &&
        this.issues.slice(before).some(({ kind }) => kind === 'dropped-field');
      if (decoded !== undefined && !isEmptied) value[key] = decoded;
      else if (member.value.kind !== 'null') Reflect.deleteProperty(value, key);
    }
    return struct === 'PodSpec' ? this.#dropImageVolumes(value, place) : value;
  }

  /** Ports dropImageVolumes (pkg/api/pod/util.go): without the gate, a volume of an image goes with its mounts. */
  #dropImageVolumes(spec: Decoded<v1.PodSpec>, { path }: Place): Decoded<v1.PodSpec> {
    const { volumes = [], containers, initContainers } = spec;
    const gone = volumes.flatMap(({ name }, index) => {
      const imagePath = `${join(path, 'volumes')}[${index}].image`;
      const isGone = this.issues.some(
        (issue) => issue.kind === 'dropped-field' && issue.path === imagePath,
      );
      return isGone ? [name] : [];
    });
    if (gone.length === 0) return spec;
    const isKept = ({ name }: Decoded<v1.VolumeMount>): boolean => !gone.includes(name);
    const withMounts = (container: Decoded<v1.Container>) => ({
      ...container,
      volumeMounts: container.volumeMounts?.filter(isKept),
    });
    const lists = {
      volumes: volumes.filter(isKept),
      containers: containers?.map(withMounts),
      initContainers: initContainers?.map(withMounts),
    };
    return { ...spec, ...lists };
  }

  #scalar(node: JsonNode, type: GoType & { kind: 'scalar' }, place: Place): unknown {
    const result = decodeScalar(node, type.scalar);
    switch (result.kind) {
      case 'value':
        return isZero(result.value, type.scalar) ? undefined : result.value;
      case 'unsafe': {
        const { literal, value } = result;
        if (this.integers === 'exact') return BigInt(literal);
        this.issues.push({ kind: 'unsafe-integer', path: place.path, start: node.start, literal });
        return value;
      }
      case 'mismatch':
        return this.#mismatch(node, result.wanted ?? type.name, place, result);
      case 'malformed':
        return this.#wrongType(node, type.name, place, result.message, true);
    }
  }

  #reportDuplicates(members: readonly JsonMember[], place: Place): void {
    const seen = new Set<string>();
    for (const { key, keyStart: start } of members) {
      const path = join(place.path, key);
      if (seen.has(key)) this.issues.push({ kind: 'duplicate-field', path, start });
      seen.add(key);
    }
  }

  #mismatch(
    node: JsonNode,
    wanted: string,
    place: Place,
    { found, fatal }: { found: string; fatal: boolean } = { found: node.kind, fatal: false },
  ): unknown {
    const [struct] = place.structs;
    const field =
      struct === undefined ? 'value' : `struct field ${struct}.${place.fields.join('.')}`;
    const message = `json: cannot unmarshal ${found} into Go ${field} of type ${wanted}`;
    return this.#wrongType(node, wanted, place, message, fatal);
  }

  #wrongType(
    found: JsonNode,
    wanted: string,
    { path }: Place,
    message: string,
    fatal: boolean,
  ): unknown {
    const { start } = found;
    this.issues.push({ kind: 'wrong-type', path, start, found, wanted, message, fatal });
    return undefined;
  }
}

/** Fields that the server drops as a whole once it has dropped all fields in them. */
const HOOKS = ['lifecycle', 'postStart', 'preStop'];

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function isZero(value: unknown, scalar: Scalar): boolean {
  // An empty port name differs from port 0.
  if (value === '') return scalar !== 'IntOrString';
  return value === 0 || value === false || value === undefined;
}

/** Returns Go's zero value, for a null that is an item of a list or the target of a pointer. */
function zeroOf(type: GoType): unknown {
  if (type.kind === 'scalar') return SCALAR_ZERO[type.scalar];
  if (type.kind === 'pointer') return undefined;
  return type.kind === 'list' ? [] : {};
}

/** Returns the server's message of strict decoding for an issue; undefined if strict decoding accepts it. */
export function strictMessage(issue: DecodeIssue): string | undefined {
  if (issue.kind === 'unknown-field') return `unknown field ${goQuote(issue.path)}`;
  return issue.kind === 'duplicate-field' ? `duplicate field ${goQuote(issue.path)}` : undefined;
}

/** Returns the error that decoding ends with: the first fatal one, or the first wrong type. */
export function decodeMessage(issues: readonly DecodeIssue[]): string | undefined {
  const wrong = issues.filter((issue) => issue.kind === 'wrong-type');
  return (wrong.find((issue) => issue.fatal) ?? wrong[0])?.message;
}
