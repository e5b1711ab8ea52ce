import { readdirSync, readFileSync } from 'node:fs';

/** Returns the processes that have `word` in their environment or command line. */
export function processesWith(word: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const of = (file: string): string => readFileSync(`/proc/${pid}/${file}`, 'latin1');
      return `${of('cmdline')} ${of('environ')}`.includes(word);
    } catch {
      return false;
    }
  });
}
