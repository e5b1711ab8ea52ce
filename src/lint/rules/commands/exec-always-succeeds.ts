import type { Rule } from '../../rule.js';
import { programOf, shellScript } from '../../subject/commands.js';
import { probesOf } from '../../subject/members.js';

export const execAlwaysSucceeds: Rule = {
  id: 'exec-always-succeeds',
  severity: 'warning',
  summary: "the probe's command cannot fail",
  reason: `A pipe's exit code is that of its last command, and "|| true" or a final "exit 0" always succeeds, so the probe checks nothing.`,
  sources: ['https://github.com/kubernetes/kubernetes/issues/125339'],
  check: ({ members }) =>
    probesOf(members).flatMap(({ probe, path }) => {
      const command = probe.exec?.command ?? [];
      const end = blindEnd(command);
      if (end === undefined) return [];
      return {
        path: `${path}.exec.command`,
        message: `${end}, so it always succeeds`,
        hint: 'return the exit code of the check itself',
      };
    }),
};

function blindEnd(command: readonly string[]): string | undefined {
  const script = shellScript(command)?.trim();
  if (script === undefined) {
    return /^(?:true|echo|:)$/.test(programOf(command))
      ? `${programOf(command)} cannot fail`
      : undefined;
  }
  const body = script.replace(/[;\s]+$/, '');
  if (/\|\|\s*(?:true|:|exit 0|echo\b[^|&;]*)$/.test(body)) return 'it ends in "|| …"';
  if (/;\s*(?:true|exit 0)$/.test(body) && !/\b(?:exit\s+[1-9$]|set -\w*e)/.test(body)) {
    return 'it ends in success';
  }
  const last = /[^|]\|\s*(\w+)[^|]*$/.exec(body)?.[1];
  return last !== undefined &&
    /^(?:cat|tee|head|tail|wc|sort|sed|tr)$/.test(last) &&
    !body.includes('pipefail')
    ? `it ends in "| ${last}", whose exit code is the pipe's`
    : undefined;
}
