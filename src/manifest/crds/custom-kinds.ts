import {
  type Admission,
  fillMeta,
  finishAdmission,
  type PodKind,
  validateObjectMetaAccessor,
} from '../../api/admission/index.js';
import { decode } from '../../api/decode/index.js';
import { jsonText } from '../../go/json.js';
import { type JsonNode, memberOf, stringOf } from '../../go/json-node.js';
import { type Classified, groupOf, noMatchMessage } from '../documents/known-kinds.js';
import { readObjects, type TypeMeta } from '../documents/manifest-object.js';
import type { SourceFile } from '../documents/source-file.js';
import { similarHint } from '../similar-name.js';
import { schemaValidator } from './schema-validator.js';
import { prune, type Schema } from './structural-schema.js';

/** The kind of a CustomResourceDefinition, in one version. */
export interface CustomKind extends TypeMeta {
  readonly schema: Schema;
  /** The server's warning for each object of a deprecated version. */
  readonly warning?: string | undefined;
}

/** Returns the served versions of the CustomResourceDefinitions of a source. */
export function definedKinds(source: SourceFile): readonly CustomKind[] {
  return readObjects(source).flatMap(({ kind, node }) => {
    if (kind !== 'CustomResourceDefinition') return [];
    const spec = memberOf(node, 'spec');
    const group = stringOf(memberOf(spec, 'group')) ?? '';
    const name = stringOf(memberOf(memberOf(spec, 'names'), 'kind')) ?? '';
    const list = memberOf(spec, 'versions');
    const versions = list?.kind === 'array' ? list.items : [];
    return versions
      .filter((each) => isTrue(each, 'served'))
      .map((version) => {
        const schema = memberOf(memberOf(version, 'schema'), 'openAPIV3Schema');
        const apiVersion = `${group}/${stringOf(memberOf(version, 'name')) ?? ''}`;
        return {
          apiVersion,
          kind: name,
          schema: schema?.kind === 'object' ? (JSON.parse(jsonText(schema)) as Schema) : KEEPS_ALL,
          warning: isTrue(version, 'deprecated')
            ? (stringOf(memberOf(version, 'deprecationWarning')) ??
              `${apiVersion} ${name} is deprecated`)
            : undefined,
        };
      });
  });
}

/** The schema of a version that has none: every field is kept. */
const KEEPS_ALL: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

function isTrue(node: JsonNode, field: string): boolean {
  const value = memberOf(node, field);
  return value?.kind === 'bool' && value.value;
}

export class CustomKinds {
  readonly #found = new Map<CustomKind, Classified>();

  /** @param isComplete true if the server has no other custom kinds */
  constructor(
    private readonly kinds: readonly CustomKind[],
    private readonly isComplete: boolean,
  ) {}

  /** Kinds of the objects so far whose schemas have rules in CEL, which only a server evaluates. */
  get kindsWithCEL(): readonly string[] {
    const used = [...this.#found.keys()].filter(({ schema }) =>
      JSON.stringify(schema).includes('"x-kubernetes-validations"'),
    );
    return used.map(({ kind }) => kind).sort();
  }

  /** Classifies a type; returns undefined when nothing is known about its group. */
  find(type: TypeMeta): Classified | undefined {
    const group = groupOf(type.apiVersion);
    const known = this.kinds.filter(({ apiVersion }) => groupOf(apiVersion) === group);
    if (known.length === 0 && !this.isComplete) return undefined;
    const versions = known.filter(({ kind }) => kind === type.kind);
    const match = versions.find(({ apiVersion }) => apiVersion === type.apiVersion);
    if (match === undefined) {
      const kinds = known.map(({ kind }) => kind);
      const names = versions.map(({ apiVersion }) => `"apiVersion: ${apiVersion}"`);
      const field = names.length > 0 ? 'apiVersion' : 'kind';
      const hint = names.length > 0 ? `write ${names.join(' or ')}` : similarHint(type.kind, kinds);
      return { kind: 'unknown', field, message: noMatchMessage(type), ...(hint && { hint }) };
    }
    const found = this.#found.get(match) ?? compile(match);
    this.#found.set(match, found);
    return found;
  }
}

function compile({ apiVersion, kind, schema, warning }: CustomKind): Classified {
  try {
    const validate = schemaValidator(schema);
    const admit: PodKind['admit'] = (node, { uid }) => {
      const { value, issues } = prune(node, schema);
      return admitCustomResource(node, uid, issues, () => validate(value), warning);
    };
    return { kind: 'pod', podKind: { apiVersion, kind, templatePath: '', admit } };
  } catch (error) {
    const message = `the schema of its CustomResourceDefinition is invalid: ${(error as Error).message}`;
    return { kind: 'unknown', field: 'kind', message };
  }
}

/** Ports customResourceStrategy.Validate (apiextensions-apiserver pkg/registry/customresource/strategy.go) without CEL. */
function admitCustomResource(
  node: JsonNode,
  uid: string,
  issues: Admission['issues'],
  validate: () => Admission['errors'],
  warning: string | undefined,
): Admission {
  const written = decode(memberOf(node, 'metadata') ?? NOTHING, 'ObjectMeta', 'exact').value;
  const { metadata } = fillMeta({ metadata: written }, uid);
  return finishAdmission({
    stored: {},
    metadata,
    template: undefined,
    written: undefined,
    issues,
    validate: (at) => {
      validateObjectMetaAccessor(metadata, at.child('metadata'));
      at.errors.push(...validate());
    },
    warn: (at) => {
      if (warning !== undefined) at.warn(warning);
    },
  });
}

const NOTHING: JsonNode = { kind: 'null', start: 0 };
