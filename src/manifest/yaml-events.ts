import { type Event, parseEvents, YAMLException } from 'js-yaml';

import { SyntaxProblem } from './syntax-error.js';
import { describeYamlError } from './yaml-error.js';

/** No published manifest nests deeper than 40; js-yaml and what comes after it recurse. */
const MAX_DEPTH = 200;

/**
 * The events of the one document in a text. What follows a line `...` is not read, as go-yaml leaves it.
 *
 * @throws SyntaxProblem; `base` is added to its offset
 */
export function yamlEvents(text: string, base: number): readonly Event[] {
  try {
    return parseEvents(firstDocument(text), { maxDepth: MAX_DEPTH });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { message, hint } = describeYamlError(error.reason);
    throw new SyntaxProblem(message, base + (error.mark?.position ?? 0), hint);
  }
}

const DOCUMENT_END = /^\.\.\.(?=\s|$)/gm;

function firstDocument(text: string): string {
  if (!text.includes('...')) return text;
  for (const match of text.matchAll(DOCUMENT_END)) {
    if (hasContent(text.slice(0, match.index))) return text.slice(0, match.index);
  }
  return text;
}

function hasContent(text: string): boolean {
  return text.split(/[\r\n]+/).some((line) => !/^\s*(?:#.*|---\s*(?:#.*)?|\.\.\..*)?$/.test(line));
}
