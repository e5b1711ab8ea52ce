import type { Rule } from '../../rule.js';
import { whyAlwaysSucceeds } from '../../subject/always-succeeds.js';

export const execAlwaysSucceeds: Rule = {
  id: 'exec-always-succeeds',
  severity: 'warning',
  summary: "the probe's command cannot fail",
  reason: `A pipe's exit code is that of its last command, and "|| true" or a final "exit 0" always succeeds, so the probe checks nothing.`,
  sources: ['https://github.com/kubernetes/kubernetes/issues/125339'],
  checkProbe: ({ probe, path, member }, { pod }) => {
    const reason = whyAlwaysSucceeds(probe, member.container, pod);
    if (reason === undefined) return [];
    return {
      path: `${path}.exec.command`,
      message: `${reason}, so it always succeeds`,
      hint: 'return the exit code of the check itself',
    };
  },
};
