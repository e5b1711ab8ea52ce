import picomatch from 'picomatch/posix.js';

import type { Severity } from '../../../manifest/diagnostic.js';

export type RuleLevel = 'off' | Severity;

/** What a configuration must know of a lint rule. */
interface LeveledRule {
  readonly id: string;
  readonly severity: Severity;
  readonly optIn?: true;
}

export type LevelOf = (rule: LeveledRule, file: string) => RuleLevel;

/** Rules by their ids; `*` stands for all that are not named. */
export type RuleLevels = ReadonlyMap<string, RuleLevel>;

/** A `.kprobe.yaml`. */
export interface Config {
  readonly rules: RuleLevels;
  /** For the files of some paths; later ones go over earlier ones. */
  readonly overrides: readonly { readonly paths: readonly string[]; readonly rules: RuleLevels }[];
  readonly failOn?: Severity;
  readonly settings: readonly Setting[];
}

/** The value of a command-line option. */
export interface Setting {
  /** Undefined for all commands that have the option. */
  readonly command: string | undefined;
  /** As on the command line, without the dashes: `fail-on`. */
  readonly name: string;
  /** One, or several of an option that can be repeated. */
  readonly values: readonly string[];
}

export const NO_CONFIG: Config = { rules: new Map(), overrides: [], settings: [] };

/**
 * Applies a configuration; `relativePath` returns a file's path relative to the configuration's folder,
 * with "/" between folders.
 */
export function levelsBy(config: Config, relativePath: (file: string) => string): LevelOf {
  const overrides = config.overrides.map(({ paths, rules }) => ({
    patterns: paths.map(pathMatcher),
    rules,
  }));
  return ({ id, optIn, severity }, file) => {
    const path = relativePath(file);
    const holding = overrides.filter(({ patterns }) => patterns.some((matches) => matches(path)));
    const layers = [config.rules, ...holding.map(({ rules }) => rules)].toReversed();
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
    // Every other character is literal, also where picomatch gives it a meaning.
    .replace(/[\\()[\]|!+@^$]/g, '\\$&')
    // "**" means folders also where it shares a segment: "x**" is all that begins with x.
    .replace(/([^/])\*\*/g, '$1{*,*/**}')
    .replace(/\*\*(?=[^/}])/g, '**/*');
  return picomatch(pattern, { dot: true });
}
