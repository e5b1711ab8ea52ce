import { type Command, forEachChild, parse, type SyntaxNode } from 'unbash';

import type { Container, Pod, Probe } from '../../../api/index.js';
import { isShell } from '../../../text/shell.js';

/** Returns the script of `sh -c`; undefined for a command without a shell. */
export function shellScript(command: readonly string[]): string | undefined {
  const [program = '', ...args] = command;
  if (!isShell(program)) return undefined;
  const at = args.findIndex((arg) => /^-[a-z]*c[a-z]*$/.test(arg));
  return at === -1 ? undefined : args[at + 1];
}

/** Words that precede the command that they apply to. */
const PREFIXES = /^(?:exec|env|sudo|\w+=[^]*)$/;

/** Returns the simple commands of an exec probe, each as its words: one without a shell, else those of the script. */
export function simpleCommands(command: readonly string[]): readonly (readonly string[])[] {
  const script = shellScript(command);
  return (script === undefined ? [command] : scriptCommands(script))
    .map(withoutPrefixes)
    .filter((words) => words.length > 0);
}

/** Levels of a syntax tree that are visited: a hostile script must not overflow the stack. */
const MAX_DEPTH = 300;

/** Characters of a script beyond which its commands are not known: reading takes the square of what is nested. */
const MAX_SCRIPT = 20_000;

function parseScript(script: string): ReturnType<typeof parse> {
  return parse(script.length > MAX_SCRIPT ? '' : script);
}

/** Returns the commands of a script; those of substitutions come before the command around them. */
function scriptCommands(script: string): readonly (readonly string[])[] {
  const commands: (readonly string[])[] = [];
  const visit = (node: SyntaxNode, depth = 0): void => {
    if (depth < MAX_DEPTH) forEachChild(node, (child) => visit(child, depth + 1));
    if (node.type === 'Command') commands.push(wordsOf(node));
    else if (node.type === 'TestCommand') commands.push(['[[']);
  };
  visit(parseScript(script));
  return commands;
}

function wordsOf({ name, args }: Command): readonly string[] {
  return [name, ...args].flatMap((word) => (word?.type === 'Word' ? word.value : []));
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

/** Returns the name of a program without its folder. The first word may be a whole command line. */
export function programOf(words: readonly string[]): string {
  return (words[0]?.trim().split(/\s/)[0] ?? '').replace(/^.*\//, '');
}

/** Programs that start an interpreter or a virtual machine. */
const HEAVY_PROGRAMS =
  /^(?:python[\d.]*|node|nodejs|java|ruby|php|perl|rscript|dotnet|npm|npx|yarn|bundle|rails|rake|kubectl|oc|helm|rabbitmqctl|rabbitmq-diagnostics|nodetool|cqlsh|kafka-[\w-]+(?:\.sh)?|mongosh?|celery|airflow|manage\.py|jcmd)$/i;

/** Returns the program of a command that needs much of a second of CPU time to start. */
export function heavyProgram(command: readonly string[]): string | undefined {
  return simpleCommands(command)
    .map(programOf)
    .find((program) => HEAVY_PROGRAMS.test(program));
}

const LIGHT_PROGRAMS =
  /^(?:cat|test|\[|\[\[|stat|ls|true|false|pgrep|pidof|kill|echo|printf|find|grep|head|tail|wc|exit|return|:|ps|awk|sed|cut|sort|tr|tee|uniq|xargs|basename|dirname|readlink|cmp|diff|read|shift|export|local|set|\/bin\/true)$/;

/** Returns the first command that does more than look at files and processes. */
export function slowCommand(command: readonly string[]): readonly string[] | undefined {
  const isShellOnly = shellScript(command) === undefined && isShell(command[0] ?? '');
  if (isShellOnly) return command;
  return simpleCommands(command).find((words) => !LIGHT_PROGRAMS.test(programOf(words)));
}

/** Reports whether a container does nothing but wait, for somebody to run commands in it. */
export function onlySleeps({ command = [], args = [] }: Container): boolean {
  const commands = simpleCommands([...command, ...args]);
  return (
    commands.length > 0 && commands.every((words) => /^(?:sleep|pause)$/.test(programOf(words)))
  );
}

/** Reports whether a probe only finds a process or a folder, which succeeds from the start and under any load. */
export function onlyFindsProcess({ exec }: Probe): boolean {
  const commands = simpleCommands(exec?.command ?? []);
  return commands.length > 0 && commands.every((words) => PROCESS_PROGRAMS.test(programOf(words)));
}

const PROCESS_PROGRAMS = /^(?:pgrep|pidof|ps|kill|ls|true|echo|exit|grep|:)$/;

/** Returns the reason why the command of a probe can't fail; undefined if it can. */
export function reasonOfConstantSuccess(
  { exec }: Probe,
  container: Container,
  pod: Pod,
): string | undefined {
  const command = exec?.command ?? [];
  const script = shellScript(command)?.trim();
  const [words = [], ...more] = simpleCommands(command);
  const isSingle = more.length === 0 && !script?.includes('!');
  return (
    (script === undefined ? undefined : hiddenFailures(script)) ??
    (isSingle ? onlySuccess(words, fixedFolders(container, pod)) : undefined)
  );
}

/** Returns how the end of a script hides the failures before it. */
function hiddenFailures(script: string): string | undefined {
  const { commands } = parseScript(script);
  const last = commands.at(-1)?.command;
  if (last?.type === 'AndOr') {
    const fallback = last.operators.at(-1) === '||' ? textOf(last.commands.at(-1)) : '';
    return /^(?:true|:|exit 0|echo\b[^]*)$/.test(fallback) ? 'it ends in "|| …"' : undefined;
  }
  if (last?.type === 'Pipeline') {
    const program = programOf([textOf(last.commands.at(-1))]);
    return /^(?:cat|tee|head|tail|wc|sort|sed|tr)$/.test(program) && !script.includes('pipefail')
      ? `it ends in "| ${program}", whose exit code is the pipe's`
      : undefined;
  }
  const endsInSuccess = commands.length > 1 && /^(?:true|exit 0)$/.test(textOf(last));
  return endsInSuccess && !/\b(?:exit\s+[1-9$]|set -\w*e)/.test(script)
    ? 'it ends in success'
    : undefined;
}

function textOf(node: SyntaxNode | undefined): string {
  return node?.type === 'Command' ? wordsOf(node).join(' ') : '';
}

function onlySuccess(words: readonly string[], folders: readonly string[]): string | undefined {
  const program = programOf(words);
  if (/^(?:true|echo|:|date|id|pwd|uname|whoami|hostname)$/.test(program)) {
    return `${program} cannot fail`;
  }
  const text = words.join(' ');
  if (text === 'exit 0') return 'exit 0 cannot fail';
  if (/\bkill -0 1$/.test(text)) return 'process 1 runs as long as the container does';
  if (!/^(?:cat|ls|stat|head|tail|test|\[)$/.test(program)) return undefined;
  const paths = words.slice(1).filter((word) => !/^-|^\]$/.test(word));
  const isThere = (path: string): boolean =>
    EXISTING_FILES.test(path) || folders.some((folder) => path.startsWith(`${folder}/`));
  return paths.length > 0 && paths.every(isThere)
    ? `${paths.join(' ')} is there as long as the container runs`
    : undefined;
}

/** Files of process 1, of the kernel and of the kubelet. */
const EXISTING_FILES =
  /^(?:\/|\/proc(?:\/(?:1|self)(?:\/(?:status|stat|cmdline|environ|comm))?|\/\w+)?|\/dev\/null|\/etc\/(?:hosts|hostname|resolv\.conf)|\/tmp)\/?$/;

/** Mount paths of ConfigMaps and Secrets: without them the container does not start. */
function fixedFolders({ volumeMounts = [] }: Container, { spec }: Pod): readonly string[] {
  const fixed = (spec.volumes ?? []).filter(({ configMap, secret }) => configMap ?? secret);
  return volumeMounts.flatMap(({ name, mountPath }) => {
    if (!fixed.some((volume) => volume.name === name)) return [];
    // A mount of a manifest with errors may lack its path.
    return /^\/.*[^/]/.exec(mountPath) ?? [];
  });
}

export function preStopSeconds({ lifecycle }: Container): number | undefined {
  const { sleep, exec } = lifecycle?.preStop ?? {};
  if (sleep !== undefined) return sleep.seconds;
  const sleeps = simpleCommands(exec?.command ?? []).flatMap((words) => {
    const seconds = /^(\d+)s?$/.exec(words[1] ?? '')?.[1];
    return programOf(words) === 'sleep' && seconds !== undefined ? [Number(seconds)] : [];
  });
  return sleeps.length === 0 ? undefined : sleeps.reduce((sum, each) => sum + each, 0);
}
