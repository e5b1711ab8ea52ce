const SHELL = /(?:^|\/)(?:ba|da|a|z|k)?sh$/;

/** Returns the script of `sh -c`; undefined for a command without a shell. */
export function shellScript(command: readonly string[]): string | undefined {
  const [program = '', ...args] = command;
  if (!SHELL.test(program)) return undefined;
  const at = args.findIndex((arg) => /^-[a-z]*c[a-z]*$/.test(arg));
  return at === -1 ? undefined : args[at + 1];
}

/** Words that stand before the command that they are about. */
const PREFIXES = /^(?:!|if|then|else|elif|do|while|until|exec|time|env|sudo|\{|\(|\w+=.*)$/;

/** The simple commands of an exec probe, each as its words: one without a shell, else those of the script. */
export function simpleCommands(command: readonly string[]): readonly (readonly string[])[] {
  const script = shellScript(command);
  if (script === undefined) return [withoutPrefixes(command)].filter((words) => words.length > 0);
  return splitScript(script)
    .map((part) => withoutPrefixes(wordsOf(part)))
    .filter((words) => words.length > 0);
}

/** At operators outside of quotes; what a command substitution runs is a part too. */
function splitScript(script: string): readonly string[] {
  const parts = script.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"';|&\n])+|["']/g) ?? [];
  return parts;
}

function wordsOf(text: string): readonly string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|[^\s"'<>]+/g)].map(
    ([word, double, single]) => double ?? single ?? word,
  );
}

function withoutPrefixes(words: readonly string[]): readonly string[] {
  const [first, second] = words;
  if (first === undefined) return words;
  if (first === 'timeout' && second !== undefined) {
    const rest = words.slice(1).filter((word, index) => index > 0 || !word.startsWith('-'));
    return withoutPrefixes(/^\d/.test(rest[0] ?? '') ? rest.slice(1) : rest);
  }
  return PREFIXES.test(first) ? withoutPrefixes(words.slice(1)) : words;
}

/** The name of a program without its folder. */
export function programOf(words: readonly string[]): string {
  return (words[0] ?? '').replace(/^.*\//, '');
}

/** Programs that start an interpreter or a virtual machine. */
const HEAVY =
  /^(?:python[\d.]*|node|nodejs|java|ruby|php|perl|rscript|dotnet|npm|npx|yarn|bundle|rails|rake|kubectl|oc|helm|rabbitmqctl|rabbitmq-diagnostics|nodetool|cqlsh|kafka-[\w-]+(?:\.sh)?|mongosh?|celery|airflow|manage\.py|jcmd)$/i;

/** The program of a command that costs a good part of a second of processor time to start. */
export function heavyProgram(command: readonly string[]): string | undefined {
  return simpleCommands(command)
    .map(programOf)
    .find((program) => HEAVY.test(program));
}

const LIGHT =
  /^(?:cat|test|\[|\[\[|\]|\]\]|stat|ls|true|false|pgrep|pidof|kill|echo|find|grep|head|tail|wc|exit|fi|done|:|ps|awk|sed|cut|\/bin\/true)$/;

/** Reports whether a command only looks at files and processes. */
export function isLight(command: readonly string[]): boolean {
  const script = shellScript(command);
  if (script === undefined && SHELL.test(command[0] ?? '')) return false;
  return simpleCommands(command).every((words) => LIGHT.test(programOf(words)));
}
