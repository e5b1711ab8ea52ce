import picomatch from 'picomatch/posix.js';

import type { Severity } from '../../../manifest/diagnostic.js';

export type RuleLevel = 'off' | Severity;

export interface LeveledRule {
  /** In kebab-case; `docs/rules/<id>.md` is its page. */
  readonly id: string;
  readonly severity: Severity;
  /** Off by default: its advice is not right for everyone. */
  readonly optIn?: true;
  /** True if its changes only correct obvious mistakes: `--fix` applies them. */
  readonly safeFix?: true;
}

export type GetRuleLevel = (rule: LeveledRule, file: string) => RuleLevel;

/** Rules by their ids; `*` stands for all that are not named. */
export type RuleLevels = ReadonlyMap<string, RuleLevel>;

/** A `.kprobe.yaml`. */
export interface Config {
  readonly rules: RuleLevels;
  /** Levels for files under some paths; later overrides win. */
  readonly overrides: readonly { readonly paths: readonly string[]; readonly rules: RuleLevels }[];
  readonly failOn?: Severity;
  readonly optionDefaults: readonly OptionDefault[];
  readonly start: readonly StartedContainer[];
}

export interface StartedContainer {
  /** `app`, or `web/app` with its pod. */
  readonly container: string;
  readonly command: string;
  /** File and line, such as `.kprobe.yaml:3`. */
  readonly at: string;
}

export interface OptionDefault {
  /** The command that it is for; undefined for all that have the option. */
  readonly command: string | undefined;
  /** Name of the option without dashes: `fail-on`. */
  readonly name: string;
  /** Several values only for an option that can be repeated. */
  readonly values: readonly string[];
}

export const NO_CONFIG: Config = { rules: new Map(), overrides: [], optionDefaults: [], start: [] };

/** Applies a configuration; `relativePath` makes a file's path relative to the configuration's folder, with "/". */
export function levelsBy(config: Config, relativePath: (file: string) => string): GetRuleLevel {
  const overrides = config.overrides.map(({ paths, rules }) => ({
    patterns: paths.map(pathMatcher),
    rules,
  }));
  return ({ id, optIn, severity }, file) => {
    const path = relativePath(file);
    const matching = overrides.filter(({ patterns }) => patterns.some((matches) => matches(path)));
    const layers = [config.rules, ...matching.map(({ rules }) => rules)].toReversed();
    const layer = layers.find((rules) => rules.has(id) || rules.has('*'));
    return layer?.get(id) ?? layer?.get('*') ?? (optIn ? 'off' : severity);
  };
}

/**
 * Compiles a pattern for paths: `*` and `?` match anything but "/", `**` also folders, and `{a,b}` one of several. A
 * pattern without "/" matches names in any folder; one that ends in "/" matches everything in that folder.
 */
export function pathMatcher(glob: string): (path: string) => boolean {
  const anywhere = glob.replace(/\/$/, '').includes('/') ? glob : `**/${glob}`;
  const whole = (anywhere.endsWith('/') ? `${anywhere}**` : anywhere).replace(/^\.?\//, '');
  const pattern = whole
    // picomatch gives these a meaning; in our patterns they are literal.
    .replace(/[\\()[\]|!+@^$]/g, '\\$&')
    // "x**" matches everything that begins with x, in folders too.
    .replace(/([^/])\*\*/g, '$1{*,*/**}')
    .replace(/\*\*(?=[^/}])/g, '**/*');
  return picomatch(pattern, { dot: true });
}
