import { type FieldError, forbidden, invalid } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateQualifiedName } from './common.js';

/** What takes the values of some labels of the pod into its selector. */
export interface LabelKeys {
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly mismatchLabelKeys?: readonly string[] | undefined;
  readonly labelSelector?: Decoded<'LabelSelector'> | undefined;
}

/** Ports ValidateMatchLabelKeysAndMismatchLabelKeys (pkg/apis/core/validation/validation.go). */
export function validateLabelKeys(source: LabelKeys, path: string): FieldError[] {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector } = source;
  return [
    ...validateNames(matchLabelKeys, labelSelector, `${path}.matchLabelKeys`),
    ...validateNames(mismatchLabelKeys, labelSelector, `${path}.mismatchLabelKeys`),
    ...validateNotInSelector(matchLabelKeys, labelSelector, path),
    ...matchLabelKeys.flatMap((key, index) =>
      mismatchLabelKeys.includes(key)
        ? [invalid(`${path}.matchLabelKeys[${index}]`, key, inBoth('mismatchLabelKeys'))]
        : [],
    ),
  ];
}

function inBoth(other: string): string {
  return `exists in both matchLabelKeys and ${other}`;
}

function validateNames(
  keys: readonly string[],
  selector: Decoded<'LabelSelector'> | undefined,
  path: string,
): FieldError[] {
  if (keys.length === 0) return [];
  if (selector === undefined) {
    return [forbidden(path, 'must not be specified when labelSelector is not set')];
  }
  return keys.flatMap((key, index) => validateQualifiedName(key, `${path}[${index}]`));
}

/**
 * A selector has the expressions that the keys stand for by now, so a key that comes a second time was
 * there before. The server leaves `matchLabelKeys` out of the path.
 */
function validateNotInSelector(
  keys: readonly string[],
  selector: Decoded<'LabelSelector'> | undefined,
  path: string,
): FieldError[] {
  const seen = new Set(Object.keys(selector?.matchLabels ?? {}));
  return (selector?.matchExpressions ?? []).flatMap(({ key = '' }) => {
    const index = keys.lastIndexOf(key);
    const errors =
      index >= 0 && seen.has(key)
        ? [invalid(`${path}[${index}]`, key, inBoth('labelSelector'))]
        : [];
    seen.add(key);
    return errors;
  });
}
