import { parseDuration } from '../../go/duration.js';
import { type JsonNode, memberOf } from '../../go/json-node.js';
import type { Diagnostic } from '../diagnostic.js';
import { reportDuplicate } from '../documents/manifest-object.js';
import { readDocuments } from '../documents/read-documents.js';
import { type ManifestSource, SourceFile } from '../documents/source-file.js';
import { type Healthcheck, HEALTHCHECK_DEFAULTS, withDefaults } from './healthcheck.js';
import type { ImportedContainer } from './imported-manifest.js';
import { type ImportedPort, parsePorts, uniquePorts } from './imported-ports.js';
import { Interpolation, type Variables } from './interpolate.js';

export interface ImportedCompose {
  readonly containers: readonly ImportedContainer[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Returns the services of a compose file, with their `healthcheck:`, as `docker compose config` reads them (compose-go v2.16). */
export function importCompose(
  source: ManifestSource,
  variables: Variables = () => undefined,
): ImportedCompose {
  const file = new SourceFile(source);
  let root: JsonNode | undefined;
  for (const read of readDocuments(source.text, '1.2')) {
    if (read.kind === 'read') root = merged(root, read.node);
    else file.error(read.problem.offset, '', read.problem.message, read.problem.hint);
    const duplicates = read.kind === 'read' ? read.duplicates : [];
    for (const duplicate of duplicates) if (!duplicate.merged) reportDuplicate(file, duplicate);
  }
  const include = memberOf(root, 'include');
  if (include !== undefined)
    file.warn(include.start, 'include', 'other compose files are not read', 'import them as well');
  const services = memberOf(root, 'services');
  if (file.hasErrors()) return { containers: [], diagnostics: file.diagnostics() };
  if (services?.kind !== 'object') {
    file.error(0, 'services', 'the file has no services', 'give a compose file');
    return { containers: [], diagnostics: file.diagnostics() };
  }
  for (const { keyStart } of services.members) {
    const [word = ''] = /^[\w.+-]*/.exec(source.text.slice(keyStart)) ?? [];
    if (word !== '' && !Number.isNaN(Number(word.replaceAll('_', ''))))
      file.error(keyStart, 'services', `${word} is a number, not a name`, 'put it in quotes');
  }
  const containers = services.members.map(({ key, value }) =>
    new ServiceReader(file, variables, key, value).read(),
  );
  return { containers, diagnostics: file.diagnostics() };
}

/** Merges a later document of a file into the earlier ones. Ports override.MergeYaml, for the fields that are read here. */
function merged(base: JsonNode | undefined, other: JsonNode, key = ''): JsonNode {
  if (base === undefined) return other;
  if (other.kind === 'null') return base;
  if (base.kind === 'array' && other.kind === 'array' && key !== 'test')
    return { ...base, items: [...base.items, ...other.items] };
  if (base.kind !== 'object' || other.kind !== 'object') return other;
  const kept = base.members.filter(({ key: name }) => memberOf(other, name) === undefined);
  const members = other.members.map((member) => ({
    ...member,
    value: merged(memberOf(base, member.key), member.value, member.key),
  }));
  return { ...base, members: [...kept, ...members] };
}

const FIELDS = ['test', 'interval', 'timeout', 'retries', 'start_period', 'start_interval'];
const COMMAND_KINDS = ['CMD', 'CMD-SHELL', 'NONE'];
const YES = ['true', 'y', 'yes', 'on'];
const NO = ['false', 'n', 'no', 'off'];
/** Milliseconds. The engine accepts nothing shorter, except zero. */
const MIN_DURATION = 1;

class ServiceReader {
  readonly #reported = new Set<JsonNode>();

  constructor(
    private readonly file: SourceFile,
    private readonly variables: Variables,
    private readonly name: string,
    private readonly node: JsonNode,
  ) {}

  read(): ImportedContainer {
    if (!/^[\w.-]+$/.test(this.name))
      this.#error(this.node, '', 'a name has letters, digits, ".", "_" and "-" only');
    const image = this.#text(memberOf(this.node, 'image'), 'image') ?? this.name;
    const health = memberOf(this.node, 'healthcheck');
    const base = memberOf(this.node, 'extends');
    if (base !== undefined) {
      const hint = 'copy its ports and healthcheck, or import the output of docker compose config';
      this.#warn(base, 'extends', 'the service that it extends is not read', hint);
    }
    return {
      name: this.name,
      image,
      ports: this.#ports(),
      healthcheck: health && this.#healthcheck(health),
    };
  }

  #healthcheck(node: JsonNode): Healthcheck | undefined {
    if (node.kind !== 'object') {
      this.#error(node, 'healthcheck', 'must be a mapping', `its fields: ${FIELDS.join(', ')}`);
      return undefined;
    }
    for (const { key, value } of node.members) {
      if (key === 'disable' || key.startsWith('x-') || FIELDS.includes(key)) continue;
      this.#error(value, `healthcheck.${key}`, 'unknown field', `its fields: ${FIELDS.join(', ')}`);
    }
    if (this.#isDisabled(memberOf(node, 'disable')))
      return { ...HEALTHCHECK_DEFAULTS, test: ['NONE'] };
    const healthcheck = withDefaults({
      test: this.#test(memberOf(node, 'test')),
      interval: this.#duration(node, 'interval'),
      timeout: this.#duration(node, 'timeout'),
      startPeriod: this.#duration(node, 'start_period'),
      startInterval: this.#duration(node, 'start_interval'),
      retries: this.#retries(memberOf(node, 'retries')),
    });
    const start = memberOf(node, 'start_interval');
    if (start !== undefined && memberOf(node, 'start_period') === undefined)
      this.#error(start, 'healthcheck.start_interval', 'requires start_period');
    if (healthcheck.test.length > 0) return healthcheck;
    const hint = 'start the container and import it with --docker';
    const message = "the image's own HEALTHCHECK is not in this file";
    this.#warn(node, 'healthcheck.test', message, hint);
    return undefined;
  }

  #isDisabled(node: JsonNode | undefined): boolean {
    if (node === undefined || node.kind === 'bool') return node?.value ?? false;
    const text = this.#text(node, 'healthcheck.disable')?.toLowerCase() ?? '';
    if (![...YES, ...NO].includes(text))
      this.#error(node, 'healthcheck.disable', 'must be true or false');
    return YES.includes(text);
  }

  /** Returns an empty list where the image's own test applies. A string is a command line for the shell. */
  #test(node: JsonNode | undefined): readonly string[] {
    const field = 'healthcheck.test';
    if (node === undefined) return [];
    if (node.kind === 'string') return ['CMD-SHELL', this.#text(node, field) ?? ''];
    if (node.kind !== 'array') {
      this.#error(node, field, 'must be a string or a list');
      return [];
    }
    const words = node.items.map((item, index) => {
      if (item.kind !== 'string')
        this.#error(item, `${field}[${index}]`, 'must be a string', 'put it in quotes');
      return this.#text(item, `${field}[${index}]`) ?? '';
    });
    const [kind] = words;
    const hint = 'test: ["CMD", "program", "argument"] or ["CMD-SHELL", "line for the shell"]';
    if (kind !== undefined && !COMMAND_KINDS.includes(kind))
      this.#error(node, field, 'must begin with CMD, CMD-SHELL or NONE', hint);
    else if (words.length === 1 && kind !== 'NONE')
      this.#error(node, field, `there is no command after ${kind}`, hint);
    return words;
  }

  /** Returns 0 for a duration that is not set. */
  #duration(node: JsonNode, name: string): number {
    const field = `healthcheck.${name}`;
    const value = memberOf(node, name);
    if (value === undefined) return 0;
    const text = this.#text(value, field) ?? (value.kind === 'number' ? value.literal : '');
    const parsed = value.kind === 'string' ? parseDuration(withoutDays(text)) : undefined;
    if (parsed === undefined)
      this.#error(value, field, `"${text}" is not a duration`, 'write 30s or 1m30s');
    else if (parsed !== 0 && parsed < MIN_DURATION)
      this.#error(value, field, `${text} is too short`, 'write 1ms or more, or 0s for the default');
    return parsed ?? 0;
  }

  #retries(node: JsonNode | undefined): number {
    if (node === undefined) return 0;
    const field = 'healthcheck.retries';
    const text = node.kind === 'number' ? node.literal : (this.#text(node, field) ?? '');
    const pattern = node.kind === 'number' ? /^\d/ : /^\+?\d+$/;
    if (!pattern.test(text)) this.#error(node, field, 'must be a whole number, 0 or more');
    return Math.trunc(Number(text)) || 0;
  }

  /** Reads `ports` (`"8080:80"`, `80`, `{target: 80}`) and `expose`. */
  #ports(): readonly ImportedPort[] {
    const ports = ['ports', 'expose'].flatMap((field) => {
      const list = memberOf(this.node, field);
      if (list?.kind !== 'array') return [];
      return list.items.flatMap((item, index) => this.#port(item, `${field}[${index}]`));
    });
    return uniquePorts(ports);
  }

  #port(item: JsonNode, field: string): readonly ImportedPort[] {
    const target = memberOf(item, 'target') ?? item;
    const number = target.kind === 'number' ? target.literal : (this.#text(target, field) ?? '');
    const protocol = this.#text(memberOf(item, 'protocol'), field);
    const text = protocol === undefined ? number : `${number}/${protocol}`;
    const ports = parsePorts(text);
    if (ports === undefined)
      this.#error(item, field, `"${text}" is not a port`, 'write 80, "8080:80" or "53/udp"');
    return ports ?? [];
  }

  /** Returns a text with the values of its variables, or undefined for another value. */
  #text(node: JsonNode | undefined, field: string): string | undefined {
    if (node?.kind !== 'string') return undefined;
    const interpolation = new Interpolation(this.variables);
    const text = interpolation.substitute(node.value);
    const { error, unset } = interpolation;
    if (error !== undefined) this.#error(node, field, error);
    for (const name of unset) {
      const hint = `set it, in .env too, or write \${${name}:-default}; $$ is a dollar sign`;
      this.#warn(node, field, `the variable ${name} is not set: it is empty`, hint);
    }
    return text;
  }

  /** Reports only the first error of a value: the others follow from it. */
  #error(node: JsonNode, field: string, message: string, hint?: string): void {
    if (this.#reported.has(node)) return;
    this.#reported.add(node);
    this.file.error(node.start, this.#path(field), message, hint);
  }

  #warn(node: JsonNode, field: string, message: string, hint: string): void {
    this.file.warn(node.start, this.#path(field), message, hint);
  }

  #path(field: string): string {
    return `services.${this.name}${field && `.${field}`}`;
  }
}

/** Writes days and weeks, which Compose accepts and Go does not, as hours. Follows go-str2duration. */
function withoutDays(text: string): string {
  return text.replaceAll(
    /(\d+\.?\d*|\.\d+)([dw])(?=[\d.]|$)/g,
    (_, count: string, unit) => `${Number(count) * (unit === 'd' ? 24 : 168)}h`,
  );
}
