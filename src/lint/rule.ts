import type { Severity } from '../manifest/diagnostic.js';
import type { Change } from './fix/change.js';
import type { Subject } from './subject/subject.js';

/** Finding of a rule at one place. */
export interface Advice {
  /** A path in the pod, such as `spec.containers[0].livenessProbe`. */
  readonly path: string;
  readonly message: string;
  /** Suggestion in words. */
  readonly hint?: string;
  /** Suggestion as changes of the manifest. */
  readonly changes?: readonly Change[];
}

/** One thing that an experienced colleague would point out. */
export interface Rule {
  /** In kebab-case; `docs/rules/<id>.md` is its page. */
  readonly id: string;
  readonly severity: Severity;
  /** Only on request: what it asks for is not right for everyone. */
  readonly optIn?: true;
  /** True if its changes only correct obvious mistakes: `--fix` applies them. */
  readonly safeFix?: true;
  /** Problem in a few words. */
  readonly summary: string;
  /** Why that matters, in a sentence or two. */
  readonly reason: string;
  /** Kubernetes' documentation, and where it has happened. */
  readonly sources: readonly [string, ...string[]];
  readonly check: (subject: Subject) => readonly Advice[] | Promise<readonly Advice[]>;
}

export type RuleLevel = 'off' | Severity;

/** Severity of a rule in a file. */
export type LevelOf = (rule: Rule, file: string) => RuleLevel;

/** Without a configuration. */
export const defaultLevel: LevelOf = ({ optIn, severity }) => (optIn ? 'off' : severity);
