import { isShell } from '../../text/shell.js';

/** Returns the script of `sh -c` and the words after it; nothing for another command. */
export function wordsOfShell(command: readonly string[]): readonly string[] {
  const shell = command.findIndex(isShell);
  const option = command[shell + 1] ?? '';
  return shell !== -1 && /^-[a-z]*c$/.test(option) ? command.slice(shell + 2) : [];
}

/** Programs that run another one, which follows their options. */
const WRAPPER = /^(?:\S*\/)?(?:env|exec|nice|nohup|setsid|stdbuf|timeout|tini|dumb-init)$/;
/** An option of such a program, its value, a variable or a duration. */
const OPTION = /^(?:-.*|\w+=.*|[\d.]+[smhd]?|[A-Z]+)$/;

/** Returns the words of the program that a command runs, without the shell and the programs around it. */
export function wordsOfProgram(command: readonly string[] = []): readonly string[] {
  const [script] = wordsOfShell(command);
  if (script !== undefined) {
    return /[;&|\n`]|\$\(/.test(script) ? command : wordsOfProgram(script.trim().split(/\s+/));
  }
  const [first = '', ...rest] = command;
  if (!WRAPPER.test(first)) return command;
  const begin = rest.findIndex((word) => !OPTION.test(word));
  return begin === -1 ? command : wordsOfProgram(rest.slice(begin));
}

const URL_HERE =
  /(?<![\w./:@-])(?:(https?):\/\/)?(?:localhost|127\.0\.0\.1|\[::1\]):(\d+)((?:[/?][^\s"'|;&()$`\\]*)?)(?=["'|;)\s]|$)/g;
/** Options of curl and wget with which a request is not the GET of a probe. */
const NO_GET =
  /\s(?:-[A-Za-z]*[XdHuIFT]|--(?:data|form|head|header|json|method|post|request|upload|user))\b/;

/** Returns the URL of this machine that a command asks by curl or wget for what it checks, if it is one. */
export function askedURL(command: readonly string[] = []): readonly string[] {
  const text = command.join(' ');
  const [only, ...others] = [...text.matchAll(URL_HERE)];
  if (only === undefined || others.length > 0) return [];
  if (!/\b(?:curl|wget)\s/.test(text) || NO_GET.test(text)) return [];
  const [, scheme = 'http', port, path = ''] = only;
  return [`${scheme}://127.0.0.1:${port}${path.startsWith('/') ? path : `/${path}`}`];
}
