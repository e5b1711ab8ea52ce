import type { Rule } from '../../rule.js';
import { programOf, shellScript, simpleCommands } from '../../subject/commands.js';

export const curlWithoutFail: Rule = {
  id: 'curl-without-fail',
  severity: 'warning',
  summary: 'curl succeeds whatever status the server returns',
  reason:
    'Without -f (--fail), curl exits 0 even on a 404 or a 500, so the probe fails only if the server cannot be reached at all.',
  sources: [
    'https://curl.se/docs/manpage.html#-f',
    'https://github.com/kubernetes/kubernetes/issues/125339',
  ],
  checkProbe: ({ probe, path }) => {
    const command = probe.exec?.command ?? [];
    const commands = simpleCommands(command);
    const curl = commands.find((words) => programOf(words) === 'curl');
    if (curl === undefined || curl.some((word) => /^-[a-zA-Z]*f|^--fail/.test(word))) return [];
    // What it prints is looked at by someone.
    const script = shellScript(command) ?? '';
    const isRead = /\|(?!\|)|\$\(|`|-w|--write-out|>\s*\/tmp/.test(script);
    if (isRead || curl.some((word) => /^(?:-w|--write-out|telnet:)/.test(word))) return [];
    return {
      path: `${path}.exec.command`,
      message: 'curl without -f exits 0 even on a 500',
      hint: 'add -f, or use httpGet',
    };
  },
};
