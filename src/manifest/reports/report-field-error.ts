import type { FieldError } from '../../api/index.js';
import type { JsonNode } from '../../go/json-node.js';
import { locate } from '../documents/locate.js';
import type { SourceFile } from '../documents/source-file.js';
import { suggest } from '../suggest.js';

/** Hints for the most common errors. */
const HINTS: readonly (readonly [field: RegExp, message: RegExp, hint: string])[] = [
  [/[pP]robe$/, /must specify a handler type/, 'add httpGet, tcpSocket, grpc or exec'],
  [/\.(?:postStart|preStop)$/, /must specify a handler type/, 'add exec, httpGet or sleep'],
  [/./, /more than 1 handler type/, 'keep one; a second handler needs another probe or container'],
  [/\.exec\.command$/, /^Required/, 'such as ["cat", "/tmp/healthy"]'],
  [/\.port$/, /"\d+": must contain at least one letter/, 'remove the quotes to use the number'],
  [/successThreshold$/, /must be 1$/, 'only a readiness probe may require more than one success'],
  [/./, /init containers without restartPolicy=Always/, 'restartPolicy: Always makes it a sidecar'],
  [/containers$/, /^Required/, 'a pod has at least one container'],
  [/\.image$/, /^Required/, 'such as "image: example.com/app:1.0"'],
  [/^metadata\.name$/, /^Required/, 'such as "name: web"'],
  [
    /\.labels$/,
    /`selector` does not match/,
    'give the template the labels that the selector requires',
  ],
  [/\.selector$/, /^Required/, 'such as "selector: {matchLabels: {app: web}}"'],
];

/** Reports an error of validation at its field, in the server's words. */
export function reportFieldError(source: SourceFile, root: JsonNode, error: FieldError): void {
  const body = error.message.slice(error.field.length + ': '.length);
  source.report({
    severity: 'error',
    offset: locate(root, error.field),
    field: error.field,
    message: body,
    hint: hintFor(error.field, body),
    rule: ruleOf(error),
  });
}

/** `FieldValueNotSupported` is `not-supported`. */
function ruleOf({ type }: FieldError): string {
  const name = type.slice('FieldValue'.length);
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

function hintFor(field: string, body: string): string | undefined {
  const found = HINTS.find(([path, message]) => path.test(field) && message.test(body));
  return found?.[2] ?? nearestValue(body);
}

/** Returns the supported value that is most similar to a misspelt one. */
function nearestValue(body: string): string | undefined {
  const match = /^Unsupported value: "([^"]*)": supported values: (.*)$/.exec(body);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  const supported = [...match[2].matchAll(/"([^"]*)"/g)].map(([, value = '']) => value);
  const near = suggest(match[1], supported);
  return near === undefined ? undefined : `did you mean "${near}"?`;
}
