import type { PodKind } from '../../api/index.js';
import { goQuote } from '../../go/quote.js';
import type { ServerStatus, VerdictError } from './verdict.js';

type Kind = Pick<PodKind, 'apiVersion' | 'kind'>;

/** The answer to what cannot be decoded. Ports the create handler's transformDecodeError. */
export function badRequest({ apiVersion, kind }: Kind, message: string): ServerStatus {
  const version = apiVersion.split('/').at(-1) ?? '';
  const what = `${kind} in version ${goQuote(version)} cannot be handled as a ${kind}`;
  return { code: 400, reason: 'BadRequest', message: `${what}: ${message}` };
}

/** Ports strictDecodingError.Error (apimachinery pkg/runtime/error.go). */
export function strictDecodingError(strict: readonly string[]): string {
  return `strict decoding error: ${strict.join(', ')}`;
}

/** The answer to what is not valid. Ports NewInvalid (apimachinery pkg/api/errors/errors.go). */
export function invalidStatus(
  { apiVersion, kind }: Kind,
  name: string,
  errors: readonly VerdictError[],
): ServerStatus {
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/')[0] ?? ''}` : '';
  // An aggregate says each text once.
  const texts = [...new Set(errors.map(({ message }) => message))];
  const list = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
  const message = `${kind}${group} ${goQuote(name)} is invalid: ${list}`;
  return { code: 422, reason: 'Invalid', message };
}
