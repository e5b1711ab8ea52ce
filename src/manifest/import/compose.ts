import { parseDuration } from '../../go/duration.js';
import { type JsonNode, memberOf, stringOf } from '../../go/json-node.js';
import type { Diagnostic } from '../diagnostic.js';
import { readDocuments } from '../documents/read-documents.js';
import { type ManifestSource, SourceFile } from '../documents/source-file.js';
import { type Healthcheck, HEALTHCHECK_DEFAULTS, type ImportedContainer } from './healthcheck.js';

export interface ImportedCompose {
  readonly containers: readonly ImportedContainer[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The services of a compose file, with their `healthcheck:`. */
export function importCompose(source: ManifestSource): ImportedCompose {
  const file = new SourceFile(source);
  const [read] = readDocuments(source.text);
  let containers: readonly ImportedContainer[] = [];
  if (read?.kind === 'broken') {
    file.error(read.problem.offset, '', read.problem.message, read.problem.hint);
  } else {
    const services = memberOf(read?.node, 'services');
    if (services?.kind !== 'object')
      file.error(0, 'services', 'there are no services in it', 'give a compose file');
    else
      containers = services.members.map(({ key, value }) =>
        new ServiceReader(file, key, value).read(),
      );
  }
  return { containers, diagnostics: file.diagnostics() };
}

class ServiceReader {
  constructor(
    private readonly file: SourceFile,
    private readonly name: string,
    private readonly node: JsonNode,
  ) {}

  read(): ImportedContainer {
    const image = stringOf(memberOf(this.node, 'image')) ?? this.name;
    const health = memberOf(this.node, 'healthcheck');
    return {
      name: this.name,
      image,
      ports: this.#ports(),
      healthcheck: health && this.#healthcheck(health),
    };
  }

  #healthcheck(node: JsonNode): Healthcheck | undefined {
    const disabled = memberOf(node, 'disable');
    if (disabled?.kind === 'bool' && disabled.value)
      return { ...HEALTHCHECK_DEFAULTS, test: ['NONE'] };
    const test = this.#test(memberOf(node, 'test'));
    if (test === undefined) {
      this.#warn(
        node,
        'test',
        "the image's own HEALTHCHECK is not in this file",
        'start the container and import it with --docker',
      );
      return undefined;
    }
    const { interval, timeout, startPeriod, startInterval } = HEALTHCHECK_DEFAULTS;
    return {
      test,
      interval: this.#duration(node, 'interval') ?? interval,
      timeout: this.#duration(node, 'timeout') ?? timeout,
      startPeriod: this.#duration(node, 'start_period') ?? startPeriod,
      startInterval: this.#duration(node, 'start_interval') ?? startInterval,
      retries: this.#retries(node),
    };
  }

  /** A text is for the shell; in both forms `$$` is a dollar sign. */
  #test(node: JsonNode | undefined): readonly string[] | undefined {
    if (node?.kind === 'string') return ['CMD-SHELL', this.#unescaped(node, node.value)];
    if (node?.kind !== 'array') return undefined;
    return node.items.map((item) => this.#unescaped(item, stringOf(item) ?? ''));
  }

  #unescaped(node: JsonNode, text: string): string {
    if (/\$(?:\{|[A-Za-z_])/.test(text.replaceAll('$$', ''))) {
      this.#warn(
        node,
        'test',
        `compose would put a variable of its own environment into "${text}"`,
        'put its value there',
      );
    }
    return text.replaceAll('$$', '$');
  }

  #duration(node: JsonNode, field: string): number | undefined {
    const value = memberOf(node, field);
    if (value === undefined) return undefined;
    const text = stringOf(value) ?? (value.kind === 'number' ? value.literal : '');
    const parsed = parseDuration(text);
    if (parsed === undefined)
      this.#error(value, field, `"${text}" is no duration`, 'write 30s or 1m30s');
    return parsed;
  }

  #retries(node: JsonNode): number {
    const value = memberOf(node, 'retries');
    if (value === undefined) return HEALTHCHECK_DEFAULTS.retries;
    const count = Number(value.kind === 'number' ? value.literal : stringOf(value));
    if (Number.isInteger(count) && count >= 1) return count;
    this.#error(value, 'retries', 'must be a whole number from 1');
    return HEALTHCHECK_DEFAULTS.retries;
  }

  /** `"8080:80"`, `80`, `{target: 80}` and `expose:`. */
  #ports(): readonly number[] {
    const items = ['ports', 'expose'].flatMap((field) => {
      const list = memberOf(this.node, field);
      return list?.kind === 'array' ? list.items : [];
    });
    const ports = items.map((item) => {
      if (item.kind === 'number') return Number(item.literal);
      const target = memberOf(item, 'target');
      if (target?.kind === 'number') return Number(target.literal);
      return Number(/(\d+)(?:\/tcp)?$/.exec(stringOf(item) ?? '')?.[1]);
    });
    return [...new Set(ports)].filter((port) => port >= 1 && port <= 65_535);
  }

  #error(node: JsonNode, field: string, message: string, hint?: string): void {
    this.file.error(node.start, `services.${this.name}.healthcheck.${field}`, message, hint);
  }

  #warn(node: JsonNode, field: string, message: string, hint: string): void {
    this.file.warn(node.start, `services.${this.name}.healthcheck.${field}`, message, hint);
  }
}
