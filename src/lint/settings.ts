import type { Severity } from '../manifest/diagnostic.js';
import type { Rule } from './rule.js';

export type RuleLevel = 'off' | Severity;

/** What a rule counts for in a file. */
export type LevelOf = (rule: Rule, file: string) => RuleLevel;

/** Without a configuration. */
export const defaultLevel: LevelOf = ({ optIn, severity }) => (optIn ? 'off' : severity);
