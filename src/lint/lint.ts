import type { Diagnostic, Severity } from '../manifest/diagnostic.js';
import { podKindsOf } from '../manifest/documents/known-kinds.js';
import { type ManifestObject, readObjects } from '../manifest/documents/manifest-object.js';
import { type ManifestSource, SourceFile } from '../manifest/documents/source-file.js';
import { contains, readPartialPod } from '../manifest/pods/load-pod.js';
import { FileReport, type Workload } from './file-report.js';
import { type Advice, adviceOf, defaultLevel, type LevelOf, type Rule } from './rule.js';
import { RULES } from './rules.js';
import { membersOf } from './subject/members.js';
import type { Rehearsal } from './subject/rehearse.js';
import {
  selects,
  type Service,
  serviceOf,
  type StartTimes,
  type Subject,
} from './subject/subject.js';

export interface LintOptions {
  readonly level?: LevelOf;
  /** From recorded runs. */
  readonly starts?: StartTimes;
  /** Called before each source, by its index. */
  readonly onSource?: (index: number) => void;
}

/** Findings of the rules in a file. */
interface AdvisedFile {
  readonly file: string;
  /** In the order of the text. */
  readonly advice: readonly Diagnostic[];
  /** Number of pods and workloads checked. */
  readonly pods: number;
}

/**
 * Applies the rules to manifests, all together: a Service of one file selects the pods of
 * another. Of what an API server would refuse they say nothing; validation does. The rest of such an object is checked.
 */
export async function lint(
  sources: readonly ManifestSource[],
  options: LintOptions = {},
): Promise<readonly AdvisedFile[]> {
  const objects = sources.map((source) => readObjects(new SourceFile(source)));
  const services = objects.flat().flatMap((object) => serviceOf(object) ?? []);
  const { level = defaultLevel, starts = new Map() } = options;
  const rehearsals = new Map<string, Promise<Rehearsal>>();
  const advised: AdvisedFile[] = [];
  for (const [index, source] of sources.entries()) {
    options.onSource?.(index);
    const file = new SourceFile(source);
    const report = new FileReport(file);
    const workloads = (objects[index] ?? []).flatMap(workloadOf);
    for (const workload of workloads) {
      const subject = subjectOf(workload, services, { starts, rehearsals });
      await applyRules(subject, level, file.file, (rule, severity, advice) =>
        isDoubtful(workload, advice.path)
          ? undefined
          : report.add({ workload, rule, severity, advice }),
      );
    }
    advised.push({ file: source.file, advice: file.diagnostics(), pods: workloads.length });
  }
  return advised;
}

function workloadOf(object: ManifestObject): readonly Workload[] {
  return podKindsOf(object).flatMap((kind) => {
    const read = readPartialPod(object, kind);
    return read === undefined ? [] : [{ object, kind, ...read }];
  });
}

/** Reports whether what is wrong with a manifest may be all that there is to an advice. */
function isDoubtful({ kind: { templatePath }, wrong, unread }: Workload, path: string): boolean {
  const field = templatePath === '' ? path : `${templatePath}.${path}`;
  return (
    [...wrong, ...unread].some((each) => contains(each, field)) ||
    unread.some((each) => contains(field, each))
  );
}

async function applyRules(
  subject: Subject,
  level: LevelOf,
  file: string,
  report: (rule: Rule, severity: Severity, advice: Advice) => void,
): Promise<void> {
  for (const rule of RULES) {
    const severity = level(rule, file);
    if (severity === 'off') continue;
    for (const advice of await adviceOf(rule, subject)) report(rule, severity, advice);
  }
}

function subjectOf(
  { object, kind, loaded }: Workload,
  services: readonly Service[],
  shared: Pick<Subject, 'starts' | 'rehearsals'>,
): Subject {
  const { pod, source, defaulted } = loaded;
  return {
    kind: kind.kind,
    object: object.node,
    pod,
    replicas: source.replicas ?? 1,
    members: membersOf(pod),
    services: services.filter((service) => selects(service, pod)),
    defaulted,
    ...shared,
  };
}
