import type { Rule } from '../../lint/rule.js';

/** The rules, one a line: id, severity, what they find. */
export function ruleList(rules: readonly Rule[]): string {
  const width = Math.max(...rules.map(({ id }) => id.length));
  return rules
    .map(({ id, severity, optIn, safeFix, summary }) => {
      const level = (optIn ? 'off' : severity).padEnd('warning'.length);
      return `${id.padEnd(width)}  ${level}  ${summary}${safeFix ? ' (--fix)' : ''}\n`;
    })
    .join('');
}
