import { type JsonNode, type JsonObject, stringOf } from '../../../go/json-node.js';
import { readDocuments } from '../../../manifest/documents/read-documents.js';
import { type ManifestSource, SourceFile } from '../../../manifest/documents/source-file.js';
import { similarHint } from '../../../manifest/similar-name.js';
import { NAMED_COMMAND } from '../../../session/targets/choose-containers.js';
import {
  type Config,
  NO_CONFIG,
  type OptionDefault,
  type RuleLevel,
  type RuleLevels,
} from './config.js';

const SEVERITIES = ['error', 'warning', 'info'] as const;
const LEVELS = ['off', ...SEVERITIES] as const;
const FIELDS = ['rules', 'overrides', 'failOn', 'defaults', 'commands', 'start'];

export interface ConfigChecks {
  /** Returns what is wrong with the value of an option. */
  readonly optionDefault?: (optionDefault: OptionDefault) => string | undefined;
  /** Ids of lint's rules; without them, ids are not checked. */
  readonly rules?: readonly string[];
}

/** Reads a `.kprobe.yaml`; every mistake is an error with its line and field. */
export function readConfig(source: ManifestSource, checks: ConfigChecks = {}) {
  const file = new SourceFile(source);
  const node = soleNode(file);
  const config = node === undefined ? NO_CONFIG : new ConfigReader(file, checks).read(node);
  return { config, diagnostics: file.diagnostics() };
}

function soleNode(file: SourceFile): JsonNode | undefined {
  const documents = readDocuments(file.text).filter(
    (read) => read.kind === 'broken' || read.node.kind !== 'null',
  );
  const [first, second] = documents;
  if (first?.kind === 'broken') {
    const { offset, message, hint } = first.problem;
    file.error(offset, '', message, hint);
    return undefined;
  }
  if (second !== undefined) {
    const start = second.kind === 'read' ? second.start : 0;
    file.error(start, '', 'a configuration must be a single document');
  }
  for (const { start, path } of first?.duplicates ?? []) {
    file.error(start, path, 'set twice', 'remove one of the two');
  }
  return first?.node;
}

function scalarOf(node: JsonNode): string | undefined {
  if (node.kind === 'bool') return String(node.value);
  return node.kind === 'number' ? node.literal : stringOf(node);
}

class ConfigReader {
  constructor(
    private readonly file: SourceFile,
    private readonly checks: ConfigChecks,
  ) {}

  read(node: JsonNode): Config {
    const fields = this.#fields(node, '', FIELDS);
    const failOn = fields.get('failOn');
    const severity = failOn && this.#choice(failOn, 'failOn', SEVERITIES);
    return {
      rules: this.#rules(fields.get('rules'), 'rules'),
      overrides: this.#items(fields.get('overrides'), 'overrides').map((item, index) =>
        this.#override(item, `overrides[${index}]`),
      ),
      ...(severity !== undefined && { failOn: severity }),
      optionDefaults: [
        ...this.#optionDefaults(fields.get('defaults'), 'defaults'),
        ...this.#members(fields.get('commands'), 'commands').flatMap(({ key, value }) =>
          this.#optionDefaults(value, `commands.${key}`, key),
        ),
      ],
      start: this.#members(fields.get('start'), 'start').flatMap((member) => this.#started(member)),
    };
  }

  #started({ key, keyStart, value }: JsonObject['members'][number]): Config['start'] {
    const field = `start.${key}`;
    const command = stringOf(value)?.trim() ?? '';
    const at = `${this.file.file}:${this.file.positionAt(keyStart).line}`;
    if (!NAMED_COMMAND.test(`${key}=`)) {
      this.file.error(keyStart, field, 'must be the name of a container, or POD/CONTAINER');
    } else if (command === '') this.#error(value, field, 'must be a command, such as node app.js');
    else return [{ container: key, command, at }];
    return [];
  }

  #optionDefaults(
    node: JsonNode | undefined,
    path: string,
    command?: string,
  ): readonly OptionDefault[] {
    return this.#members(node, path).flatMap(({ key, value }) => {
      const field = `${path}.${key}`;
      const values = (value.kind === 'array' ? value.items : [value]).map(scalarOf);
      if (values.length === 0 || values.includes(undefined)) {
        this.#error(value, field, 'must be a string, a number, true or false, or a list of those');
        return [];
      }
      const given = { command, name: key, values: values.filter((value) => value !== undefined) };
      const problem = this.checks.optionDefault?.(given);
      if (problem !== undefined) this.#error(value, field, problem);
      return problem === undefined ? [given] : [];
    });
  }

  #members(node: JsonNode | undefined, path: string): JsonObject['members'] {
    if (node === undefined || node.kind === 'null') return [];
    if (node.kind === 'object') return node.members;
    this.#error(node, path, 'must be an object');
    return [];
  }

  #override(node: JsonNode, path: string): Config['overrides'][number] {
    const fields = this.#fields(node, path, ['paths', 'rules']);
    const paths = this.#items(fields.get('paths'), `${path}.paths`).flatMap((item, index) => {
      const text = stringOf(item);
      if (text === undefined)
        this.#error(item, `${path}.paths[${index}]`, 'must be a string such as "charts/**"');
      return text ?? [];
    });
    if (paths.length === 0)
      this.#error(node, `${path}.paths`, 'is required: a list such as ["charts/**"]');
    return { paths, rules: this.#rules(fields.get('rules'), `${path}.rules`) };
  }

  #rules(node: JsonNode | undefined, path: string): RuleLevels {
    const levels = new Map<string, RuleLevel>();
    const known = this.checks.rules && ['*', ...this.checks.rules];
    for (const [rule, value] of node ? this.#fields(node, path, known, 'rule') : []) {
      const level = this.#choice(value, `${path}.${rule}`, LEVELS);
      if (level !== undefined) levels.set(rule, level);
    }
    return levels;
  }

  #fields(
    node: JsonNode,
    path: string,
    known: readonly string[] | undefined,
    noun: 'field' | 'rule' = 'field',
  ): ReadonlyMap<string, JsonNode> {
    const fields = new Map<string, JsonNode>();
    for (const { key, keyStart, value } of this.#members(node, path)) {
      if (known?.includes(key) ?? true) fields.set(key, value);
      else {
        const hint = similarHint(key, known ?? []);
        this.file.error(keyStart, path === '' ? key : `${path}.${key}`, `unknown ${noun}`, hint);
      }
    }
    return fields;
  }

  #items(node: JsonNode | undefined, path: string): readonly JsonNode[] {
    if (node === undefined || node.kind === 'null') return [];
    if (node.kind === 'array') return node.items;
    this.#error(node, path, 'must be a list');
    return [];
  }

  #choice<T extends RuleLevel>(node: JsonNode, path: string, choices: readonly T[]) {
    // YAML reads off as false.
    const text = node.kind === 'bool' && !node.value ? 'off' : stringOf(node);
    const choice = choices.find((each) => each === text);
    if (choice === undefined) this.#error(node, path, `must be one of ${choices.join(', ')}`);
    return choice;
  }

  #error(node: JsonNode, path: string, message: string): void {
    this.file.error(node.start, path, message);
  }
}
