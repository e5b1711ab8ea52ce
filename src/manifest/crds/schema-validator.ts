import { Ajv, type ErrorObject, type SchemaValidateFunction } from 'ajv';

import { asJson, collectErrors, type FieldError } from '../../api/admission/index.js';
import { isObject } from '../../api/index.js';
import { canonicalIP } from '../../go/addr.js';
import { BASE64 } from '../../go/base64.js';
import { goQuote } from '../../go/quote.js';
import { timeError } from '../../go/time.js';
import type { Schema } from './structural-schema.js';

/**
 * Compiles a structural schema. The validator adds the defaults to the value, and returns errors in the words of the
 * API server. Throws an Error for a schema that a server refuses too.
 */
export function schemaValidator(schema: Schema): (value: unknown) => readonly FieldError[] {
  const ajv = new Ajv({
    allErrors: true,
    useDefaults: true,
    verbose: true,
    strict: false,
    validateSchema: false,
    logger: false,
    formats: FORMATS,
    code: { regExp: Object.assign(goRegExp, { code: 'goRegExp' }) },
  });
  ajv.addKeyword({ keyword: 'x-kubernetes-list-type', type: 'array', validate: validateListType });
  const text = JSON.stringify(schema);
  const validate = ajv.compile(
    JSON.parse(text, (_, value: unknown) => jsonSchema(value)) as object,
  );
  return (value) => {
    // Ajv judges a choice before it sets the defaults inside of it, so the first result may be wrong.
    validate(value);
    validate(value);
    const errors = (validate.errors ?? []).filter(({ schemaPath }) => !IN_CHOICE.test(schemaPath));
    return errors.flatMap((error) => fieldErrors(error, value));
  };
}

/** The place of an error in a branch of a choice; the choice has an error of its own. */
const IN_CHOICE = /\/(?:anyOf|oneOf)\/\d+\/|\/not\//;

/** Writes a schema of OpenAPI 3.0 as JSON Schema, without references, which only a cluster's schemas of metadata have. */
function jsonSchema(value: unknown): unknown {
  if (!isObject(value)) return value;
  if (typeof value['$ref'] === 'string') return {};
  const { nullable, exclusiveMinimum, exclusiveMaximum, minimum, maximum, type } = value;
  const required: unknown[] = Array.isArray(value['required']) ? value['required'] : [];
  const isEither = value['x-kubernetes-int-or-string'] === true;
  return {
    ...value,
    ...(isEither && { type: ['integer', 'string'] }),
    ...(value['x-kubernetes-embedded-resource'] === true && {
      required: [...new Set([...required, 'apiVersion', 'kind'])],
    }),
    // Without a type, null is allowed anyway.
    ...(nullable === true && { nullable: isEither || type !== undefined ? true : undefined }),
    ...(typeof exclusiveMinimum === 'boolean' && {
      exclusiveMinimum: exclusiveMinimum ? minimum : undefined,
    }),
    ...(typeof exclusiveMaximum === 'boolean' && {
      exclusiveMaximum: exclusiveMaximum ? maximum : undefined,
    }),
  };
}

/** Compiles a pattern of Go; one that JavaScript cannot compile matches everything, so that no valid value is refused. */
function goRegExp(pattern: string): RegExp {
  const [, flags = '', rest = pattern] = /^\(\?([is]+)\)([^]*)$/.exec(pattern) ?? [];
  const source = rest.replaceAll('(?P<', '(?<').replaceAll('\\A', '^').replaceAll('\\z', '$');
  const isForeign = /\[\[:\^?\w+:\]\]|\\[QEC]/.test(source);
  for (const mode of isForeign ? [] : ['u', '']) {
    try {
      return new RegExp(source, flags + mode);
    } catch {
      // Without the flag u more escapes are allowed.
    }
  }
  return /^/;
}

const integer = (limit: number) => ({
  type: 'number' as const,
  validate: (value: number) => Number.isInteger(value) && value >= -limit && value <= limit,
});
const isDateTime = (text: string): boolean => timeError(text.toUpperCase()) === undefined;

/** The common formats of supportedVersionedFormats (apiextensions-apiserver pkg/apiserver/validation/formats.go). */
const FORMATS = {
  byte: BASE64,
  date: (text: string) => isDateTime(`${text}T00:00:00Z`),
  datetime: isDateTime,
  'date-time': isDateTime,
  int32: integer(2 ** 31 - 1),
  int64: integer(2 ** 63),
  ipv4: (text: string) => canonicalIP(text) !== undefined && !text.includes(':'),
  ipv6: (text: string) => canonicalIP(text) !== undefined && text.includes(':'),
  uuid: /^[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i,
};

/** Ports ValidateListSetsAndMaps (apiextensions-apiserver pkg/apiserver/schema/listtype). */
const validateListType: SchemaValidateFunction = (type: unknown, items: unknown[], parent) => {
  const mapKeys = parent?.['x-kubernetes-list-map-keys'] as readonly string[] | undefined;
  const keyOf = (item: unknown): unknown =>
    type === 'map' && isObject(item)
      ? Object.fromEntries(
          (mapKeys ?? []).filter((key) => key in item).map((key) => [key, item[key]]),
        )
      : item;
  const keys = items.map((item) => JSON.stringify(keyOf(item)));
  const twice = [...keys.entries()].filter(([index, key]) => keys.indexOf(key) < index);
  validateListType.errors = twice.map(([index, json]) => ({
    keyword: 'duplicate',
    params: { index, json },
  }));
  return type === 'atomic' || twice.length === 0;
};

type Describe = (error: ErrorObject) => string;

const limitOf: Describe = ({ schema }) =>
  typeof schema === 'string' ? schema : JSON.stringify(schema);

/** The error text of each keyword (kube-openapi pkg/validation/errors/schema.go). */
const KEYWORD_TEXTS: Readonly<Record<string, Describe>> = {
  type: ({ data, schema }) => `must be of type ${[schema].flat().join(',')}: "${typeName(data)}"`,
  format: ({ data, schema }) => `must be of type ${schema as string}: ${goQuote(String(data))}`,
  minItems: (error) => `should have at least ${limitOf(error)} items`,
  minProperties: (error) => `should have at least ${limitOf(error)} properties`,
  minimum: (error) => `should be greater than or equal to ${limitOf(error)}`,
  maximum: (error) => `should be less than or equal to ${limitOf(error)}`,
  exclusiveMinimum: (error) => `should be greater than ${limitOf(error)}`,
  exclusiveMaximum: (error) => `should be less than ${limitOf(error)}`,
  multipleOf: (error) => `should be a multiple of ${limitOf(error)}`,
  minLength: (error) => `should be at least ${limitOf(error)} chars long`,
  pattern: (error) => `should match '${limitOf(error)}'`,
  uniqueItems: () => "shouldn't contain duplicates",
};

const CHOICES: Readonly<Record<string, string>> = {
  anyOf: 'must validate at least one schema (anyOf)',
  oneOf: 'must validate one and only one schema (oneOf)',
  not: 'must not validate the schema (not)',
};

/** Ports kubeOpenAPIResultToFieldErrors (apiextensions-apiserver pkg/apiserver/validation/validation.go). */
function fieldErrors(error: ErrorObject, root: unknown): readonly FieldError[] {
  const { keyword, params, data, schema } = error;
  const path = fieldPath(error.instancePath, root);
  const { limit, missingProperty, index, json } = params as Params;
  return collectErrors(path, (at) => {
    const [choice, should] = [CHOICES[keyword], KEYWORD_TEXTS[keyword]];
    const shown = typeof data === 'string' || typeof data === 'number' ? data : asJson(data);
    if (keyword === 'required') at.child(missingProperty).required();
    else if (keyword === 'maxLength') at.tooLong(limit);
    else if (keyword === 'maxItems' || keyword === 'maxProperties')
      at.tooMany(Object.keys(data as object).length, limit);
    else if (keyword === 'enum')
      at.notSupported(
        asJson(data),
        (schema as unknown[]).map((each) => limitOf({ ...error, schema: each })),
      );
    else if (keyword === 'duplicate') at.item(index).duplicate({ json });
    else if (choice !== undefined) at.invalid('', `"${path}" ${choice}`);
    else if (should !== undefined)
      at.invalid(keyword === 'type' ? typeName(data) : shown, `${path} in body ${should(error)}`);
  });
}

interface Params {
  readonly limit: number;
  readonly missingProperty: string;
  readonly index: number;
  readonly json: string;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Writes a JSON pointer as a path of fields. */
function fieldPath(pointer: string, root: unknown): string {
  let path = '';
  let node = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path += Array.isArray(node) ? `[${key}]` : path === '' ? key : `.${key}`;
    node = (node as Readonly<Record<string, unknown>>)[key];
  }
  return path;
}
