import { omitUndefined } from '../../api/index.js';
import { maskText } from '../../secrets/credential-text.js';
import { linesOf, maskSourceLine, type SourceLines } from '../../secrets/mask-source.js';
import type { Diagnostic } from '../diagnostic.js';

export interface ManifestSource {
  readonly file: string;
  readonly text: string;
  /** The Kustomize folder that uses the file. */
  readonly kustomize?: string | undefined;
  /** The subcommand of kprobe that reads the file, for hints. */
  readonly command?: string | undefined;
  /** Version of the cluster that the object is from, as far as it may be read. */
  readonly clusterVersion?: ClusterVersion | undefined;
}

export interface ClusterVersion {
  /** The kubelet of a pod's node, else the API server. */
  readonly of: 'kubelet' | 'API server';
  readonly version: string;
}

/** A diagnostic that still has an offset for its place. */
export interface Finding extends Pick<
  Diagnostic,
  'severity' | 'field' | 'message' | 'rule' | 'fix'
> {
  readonly offset: number;
  readonly hint?: string | undefined;
}

const LINES = new WeakMap<ManifestSource, LineMap>();

export class SourceFile {
  readonly file: string;
  readonly text: string;
  readonly #lines: LineMap;
  readonly #keys = new Set<string>();
  #findings: Finding[] = [];

  constructor(readonly origin: ManifestSource) {
    this.file = origin.file;
    this.text = origin.text;
    this.#lines = LINES.get(origin) ?? new LineMap(origin.text);
    LINES.set(origin, this.#lines);
  }

  /** Adds a finding once: the content of an anchor is checked again at each of its aliases. */
  report(finding: Finding): void {
    const key = keyOf(finding);
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    this.#findings.push(finding);
  }

  error(offset: number, field: string, message: string, hint?: string): void {
    this.report({ severity: 'error', offset, field, message, hint });
  }

  warn(offset: number, field: string, message: string, hint?: string): void {
    this.report({ severity: 'warning', offset, field, message, hint });
  }

  hasErrors(): boolean {
    return this.#findings.some((finding) => finding.severity === 'error');
  }

  /** Returns whether there is an error of one of the rules, or one in a line with that text. */
  hasErrorsWith(rules: readonly (string | undefined)[], text?: string): boolean {
    return this.#findings.some(({ severity, rule, offset }) => {
      if (severity !== 'error') return false;
      const line = this.#lines.source.texts[this.positionAt(offset).line - 1] ?? '';
      return rules.includes(rule) || (text !== undefined && line.includes(text));
    });
  }

  /** Replaces all errors by one, at the place of the first. */
  replaceErrors(message: string, hint: string): void {
    const [first] = this.#findings
      .filter(({ severity }) => severity === 'error')
      .toSorted((a, b) => a.offset - b.offset);
    if (first === undefined) return;
    this.#findings = this.#findings.filter(({ severity }) => severity !== 'error');
    this.report({ ...first, field: '', message, hint, rule: 'template' });
  }

  positionAt(offset: number): Position {
    return this.#lines.positionAt(offset);
  }

  diagnostics(): readonly Diagnostic[] {
    return this.#findings
      .toSorted((a, b) => a.offset - b.offset)
      .map((finding) => this.#diagnostic(finding));
  }

  #diagnostic(finding: Finding): Diagnostic {
    const { severity, offset, field, message, hint, rule, fix } = finding;
    const position = this.positionAt(offset);
    const source = maskSourceLine(this.#lines.source, position.line);
    return {
      severity,
      file: this.file,
      ...position,
      field,
      message: maskText(message),
      source,
      ...omitUndefined({ hint: hint === undefined ? undefined : maskText(hint), rule, fix }),
    };
  }
}

/** Returns a key that is the same for equal findings about one place. */
function keyOf({ severity, offset, field, message, rule }: Finding): string {
  const name = field.slice(field.lastIndexOf('.') + 1);
  return JSON.stringify([severity, offset, name, message, rule]);
}

export interface Position {
  /** Counts from 1. */
  readonly line: number;
  /** Counts characters, from 1. */
  readonly column: number;
}

const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

class LineMap {
  #starts: readonly number[] | undefined;
  #source: SourceLines | undefined;

  constructor(private readonly text: string) {}

  get source(): SourceLines {
    this.#source ??= linesOf(this.text);
    return this.#source;
  }

  positionAt(offset: number): Position {
    const starts = this.#lineStarts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const center = (low + high + 1) >> 1;
      if ((starts[center] ?? 0) <= offset) low = center;
      else high = center - 1;
    }
    const before = this.text.slice(starts[low], offset);
    return { line: low + 1, column: before.replace(SURROGATE_PAIR, '.').length + 1 };
  }

  #lineStarts(): readonly number[] {
    if (this.#starts !== undefined) return this.#starts;
    const starts = [0];
    const breaks = /\r\n?|\n/g;
    while (breaks.test(this.text)) starts.push(breaks.lastIndex);
    this.#starts = starts;
    return starts;
  }
}

/**
 * Decodes the text of a file: a byte order mark (UTF-8, UTF-16) is honored and removed; bytes that are not UTF-8
 * become U+FFFD. Ports what kubectl does with unicode.BOMOverride.
 */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}
