import type { Severity } from '../manifest/diagnostic.js';
import type { Change } from './fix/change.js';
import type { Subject } from './subject/subject.js';

/** What a rule has to say of one place. */
export interface Advice {
  /** A path in the pod, such as `spec.containers[0].livenessProbe`. */
  readonly path: string;
  readonly message: string;
  /** What to do about it, in words. */
  readonly hint?: string;
  /** What to do about it, as changes of the manifest. */
  readonly changes?: readonly Change[];
}

/** One thing that an experienced colleague would point out. */
export interface Rule {
  /** In kebab-case; `docs/rules/<id>.md` is its page. */
  readonly id: string;
  readonly severity: Severity;
  /** Only on request: what it asks for is not right for everyone. */
  readonly optIn?: true;
  /** Whether its changes mend only what cannot have been meant as it stands: `--fix` makes them. */
  readonly safeFix?: true;
  /** What is wrong when it speaks up, in a few words. */
  readonly summary: string;
  /** Why that matters, in a sentence or two. */
  readonly reason: string;
  /** Kubernetes' documentation, and where it has happened. */
  readonly sources: readonly [string, ...string[]];
  readonly check: (subject: Subject) => readonly Advice[] | Promise<readonly Advice[]>;
}

export type RuleLevel = 'off' | Severity;

/** What a rule counts for in a file. */
export type LevelOf = (rule: Rule, file: string) => RuleLevel;

/** Without a configuration. */
export const defaultLevel: LevelOf = ({ optIn, severity }) => (optIn ? 'off' : severity);
