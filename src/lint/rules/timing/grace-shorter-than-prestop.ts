import type { Container } from '../../../api/index.js';
import { set } from '../../fix/change.js';
import type { Rule } from '../../rule.js';
import { programOf, simpleCommands } from '../../subject/commands.js';

export const graceShorterThanPrestop: Rule = {
  id: 'grace-shorter-than-prestop',
  severity: 'warning',
  safeFix: true,
  summary: 'the preStop hook uses up the grace period',
  reason:
    'The grace period starts with the preStop hook. When the hook uses all of it, the container gets TERM and two seconds later KILL, with no time left to shut down.',
  sources: [
    'https://kubernetes.io/docs/concepts/containers/container-lifecycle-hooks/',
    'https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination',
  ],
  checkContainer: ({ container, path }, { pod }) => {
    const pause = hookSeconds(container);
    const grace = pod.spec.terminationGracePeriodSeconds ?? 30;
    if (pause === undefined || pause < grace) return [];
    return {
      path: `${path}.lifecycle.preStop`,
      message: `takes ${pause} s of a grace period of ${grace} s: the container is killed as soon as the hook ends`,
      hint: 'the grace period counts from the start of the hook',
      changes: [set('spec.terminationGracePeriodSeconds', pause + 30)],
    };
  },
};

/** Seconds that a hook sleeps, if known. */
function hookSeconds({ lifecycle }: Container): number | undefined {
  const { sleep, exec } = lifecycle?.preStop ?? {};
  if (sleep !== undefined) return sleep.seconds;
  const sleeps = simpleCommands(exec?.command ?? []).flatMap((words) => {
    const seconds = /^(\d+)s?$/.exec(words[1] ?? '')?.[1];
    return programOf(words) === 'sleep' && seconds !== undefined ? [Number(seconds)] : [];
  });
  return sleeps.length === 0 ? undefined : sleeps.reduce((sum, each) => sum + each, 0);
}
