import type { Severity } from '../../manifest/diagnostic.js';
import type { LevelOf, RuleLevel } from '../settings.js';
import { globPattern } from './glob.js';

/** Rules by their ids; `*` stands for all that are not named. */
export type RuleLevels = ReadonlyMap<string, RuleLevel>;

/** A `.kprobe.yaml`. */
export interface Config {
  readonly rules: RuleLevels;
  /** For the files of some paths; later ones go over earlier ones. */
  readonly overrides: readonly { readonly paths: readonly string[]; readonly rules: RuleLevels }[];
  readonly failOn?: Severity;
}

export const NO_CONFIG: Config = { rules: new Map(), overrides: [] };

/**
 * What rules count for by a configuration; `relativePath` gives a file's path from the configuration's folder on,
 * with "/" between folders.
 */
export function levelsBy(config: Config, relativePath: (file: string) => string): LevelOf {
  const overrides = config.overrides.map(({ paths, rules }) => ({
    patterns: paths.map(globPattern),
    rules,
  }));
  return ({ id, optIn, severity }, file) => {
    const path = relativePath(file);
    const holding = overrides.filter(({ patterns }) => patterns.some((each) => each.test(path)));
    const layers = [config.rules, ...holding.map(({ rules }) => rules)].toReversed();
    const layer = layers.find((rules) => rules.has(id) || rules.has('*'));
    return layer?.get(id) ?? layer?.get('*') ?? (optIn ? 'off' : severity);
  };
}
