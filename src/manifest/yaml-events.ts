import { type Event, parseEvents, YAMLException } from 'js-yaml';

import { FlowLines } from './flow-lines.js';
import { pad, type PaddedText } from './offset-map.js';
import { SyntaxProblem } from './syntax-error.js';
import { describeYamlError } from './yaml-error.js';

/** No published manifest nests deeper than 40; js-yaml and what comes after it recurse. */
const MAX_DEPTH = 200;

/** The events of a document, and the text that their offsets are of. */
export interface YamlEvents extends PaddedText {
  readonly events: readonly Event[];
}

/**
 * The events of the one document in a text. What follows a line `...` is not read, as go-yaml leaves it.
 *
 * @throws SyntaxProblem with an offset in the text
 */
export function yamlEvents(text: string): YamlEvents {
  const control = UNPRINTABLE.exec(text);
  if (control !== null) {
    throw new SyntaxProblem('not YAML: control characters are not allowed', control.index);
  }
  const document = firstDocument(text);
  try {
    return { text: document, originalOffset: (offset) => offset, events: parse(document) };
  } catch (error) {
    if (!isIndentation(error)) throw problemOf(error, document, (offset) => offset);
  }
  return parseIndented(document);
}

/** What go-yaml's reader refuses. */

const UNPRINTABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ufffd]/;

function parse(text: string): readonly Event[] {
  return parseEvents(text, { maxDepth: MAX_DEPTH });
}

/** Again, with what js-yaml minds and go-yaml does not set right: see FlowLines. */
function parseIndented(text: string): YamlEvents {
  const { paddings, tabs } = new FlowLines(text);
  const characters = text.split('');
  for (const tab of tabs) characters[tab] = ' ';
  const padded = pad(characters.join(''), paddings);
  try {
    return { ...padded, events: parse(padded.text) };
  } catch (error) {
    throw problemOf(error, text, padded.originalOffset);
  }
}

function isIndentation(error: unknown): boolean {
  return error instanceof YAMLException && error.reason === 'deficient indentation';
}

function problemOf(
  error: unknown,
  text: string,
  originalOffset: (offset: number) => number,
): unknown {
  if (!(error instanceof YAMLException)) return error;
  const { message, hint } = describeYamlError(error.reason);
  const atEnd = error.reason.startsWith('unexpected end of the stream');
  // What is never closed is shown where it is opened.
  const opened = atEnd ? new FlowLines(text).unclosed : undefined;
  const offset = opened ?? originalOffset(error.mark?.position ?? 0);
  return new SyntaxProblem(message, offset, hint ?? helmHint(text, offset));
}

/** A template that was not filled in is the most likely reason for braces in YAML. */
function helmHint(text: string, offset: number): string | undefined {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  const line = text.slice(start, end === -1 ? text.length : end);
  return line.includes('{{') ? HELM_HINT : undefined;
}

/** What to do with a Helm template. */
export const HELM_HINT = 'a Helm template? Give kprobe what "helm template" prints';

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
