import { set } from '../../fix/change.js';
import type { Rule } from '../../rule.js';
import { simpleCommands } from '../../subject/commands.js';

export const execNeedsShell: Rule = {
  id: 'exec-needs-shell',
  severity: 'error',
  safeFix: true,
  summary: 'a command needs a shell, but none runs it',
  reason:
    'The kubelet runs an exec probe without a shell; the first word is the program. ["cat /tmp/healthy"] looks for a program with that whole name, and "|" or "&&" are ordinary arguments. Every attempt fails, or checks something else.',
  sources: [
    'https://kubernetes.io/docs/tasks/configure-pod-container/configure-liveness-readiness-startup-probes/#define-a-liveness-command',
  ],
  checkProbe: ({ probe, path }) => {
    const command = probe.exec?.command ?? [];
    const [only = ''] = command;
    if (command.length === 1 && /^[^\s'"]+\s/.test(only.trim())) {
      return {
        path: `${path}.exec.command`,
        message: `looks for a program named ${JSON.stringify(only.trim())}`,
        hint: 'make each word a separate item, or run it with ["sh", "-c", …]',
        changes: [set(`${path}.exec.command`, wordsFor(only))],
      };
    }
    const operator = command.find((word) => /^(?:\|\|?|&&|;|[12]?>{1,2}|<)$/.test(word));
    if (operator === undefined || simpleCommands(command).length > 1) return [];
    return {
      path: `${path}.exec.command`,
      message: `"${operator}" is an ordinary argument here, because there is no shell`,
      hint: 'run it with ["sh", "-c", …]',
      changes: [set(`${path}.exec.command`, ['sh', '-c', command.join(' ')])],
    };
  },
};

function wordsFor(text: string): readonly string[] {
  return /[|&;<>$`'"*?()]/.test(text) ? ['sh', '-c', text.trim()] : text.trim().split(/\s+/);
}
