import type { Rule } from '../../rule.js';
import { shellScript } from '../../subject/commands.js';

export const execVariableNotExpanded: Rule = {
  id: 'exec-variable-not-expanded',
  severity: 'warning',
  summary: '$(VAR) in a probe is not expanded',
  reason:
    "In a probe's command the kubelet expands only variables whose value is in the manifest. A variable with valueFrom becomes the empty string; one from envFrom, or an unknown one, stays as it is written: pg_isready -U $(USER) silently connects as the wrong user.",
  sources: [
    'https://github.com/kubernetes/kubernetes/issues/40846',
    'https://github.com/kubernetes/kubernetes/issues/128900',
  ],
  checkProbe: ({ probe, path, member }) => {
    const { env = [] } = member.container;
    const written = (probe.exec?.command ?? [])
      .join(' ')
      .matchAll(/(?<!\$)\$\(([A-Za-z_.][\w.-]*)\)/g);
    return [...new Set([...written].map(([, name = '']) => name))].flatMap((name) => {
      const variable = env.findLast((each) => each.name === name);
      if (variable !== undefined && variable.valueFrom === undefined) return [];
      // In a script it may be a command of that name.
      if (variable === undefined && shellScript(probe.exec?.command ?? []) !== undefined) return [];
      const becomes =
        variable === undefined ? 'stays as it is written' : 'becomes the empty string';
      return {
        path: `${path}.exec.command`,
        message: `$(${name}) ${becomes}: the kubelet expands only variables whose value is in the manifest`,
        hint: `let a shell expand it: ["sh", "-c", "… $${name}"]`.replace('$$', '$'),
      };
    });
  },
};
