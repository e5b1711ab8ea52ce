import type { GetRuleLevel, LeveledRule } from '../../cli/shared/config/config.js';
import type { Change } from './fix/change.js';
import type { Candidate, Service } from './subject/services.js';
import { type Member, type MemberProbe, probesOf, type Subject } from './subject/subject.js';

export interface Advice {
  /** A path in the pod or the Service, such as `spec.containers[0].livenessProbe`. */
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
  /** Suggestion as changes of the manifest. */
  readonly changes?: readonly Change[];
}

/** Sources of many rules. */
export const PROBE_CONCEPTS = 'https://kubernetes.io/docs/concepts/workloads/pods/probes/';
export const CONFIGURE_PROBES =
  'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/';

export const POD_LIFECYCLE = 'https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/';
export const DEPLOYMENTS = 'https://kubernetes.io/docs/concepts/workloads/controllers/deployment/';

export function kubernetesIssue(number: number): string {
  return `https://github.com/kubernetes/kubernetes/issues/${number}`;
}

/** A problem that an experienced colleague would point out. */
export type Rule = AboutRule &
  ({ readonly check: RuleCheck<[subject: Subject]> } | ContainerRule | ProbeRule | ServiceRule);

type AdviceOfCheck = Advice | readonly Advice[];
type RuleCheck<Args extends readonly unknown[]> = (
  ...args: Args
) => AdviceOfCheck | Promise<AdviceOfCheck>;

interface ContainerRule {
  readonly checkContainer: RuleCheck<[member: Member, subject: Subject]>;
}

interface ProbeRule {
  readonly checkProbe: RuleCheck<[probe: MemberProbe, subject: Subject]>;
}

interface ServiceRule {
  /** The paths of its advice are those of the Service. */
  readonly checkService: (service: Service, candidates: readonly Candidate[]) => readonly Advice[];
}

/** Applies a rule to a pod, to each of its containers, or to each probe. */
export async function adviceOf(rule: Rule, subject: Subject): Promise<readonly Advice[]> {
  const { members } = subject;
  if ('check' in rule) return [await rule.check(subject)].flat();
  if ('checkService' in rule) return [];
  const found =
    'checkProbe' in rule
      ? probesOf(members).map(async (probe) => rule.checkProbe(probe, subject))
      : members.map(async (member) => rule.checkContainer(member, subject));
  return (await Promise.all(found)).flat();
}

interface AboutRule extends LeveledRule {
  /** Problem in a few words. */
  readonly summary: string;
  readonly reason: string;
  /** Kubernetes' documentation, and where it has happened. */
  readonly sources: readonly [string, ...string[]];
}

export const defaultLevel: GetRuleLevel = ({ optIn, severity }) => (optIn ? 'off' : severity);
