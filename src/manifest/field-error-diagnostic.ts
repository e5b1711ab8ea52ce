import type { JsonNode } from '../api/decode/json-node.js';
import type { FieldError } from '../api/field-error.js';
import { locate } from './locate.js';
import type { SourceFile } from './source-file.js';

/** Reports what validation says of a field, in the server's words, at the field's place. */
export function reportFieldError(source: SourceFile, root: JsonNode, error: FieldError): void {
  const body = error.message.slice(error.field.length + ': '.length);
  source.error(locate(root, error.field), error.field, body);
}
