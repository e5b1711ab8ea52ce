import { joinHostPort } from '../../go/addr.js';
import { toByteString } from '../../go/byte-string.js';
import { MAX_READ_LENGTH } from '../../kubelet/prober/exec-probe.js';
import { DIFFERENCES } from '../../kubelet/release.js';
import { oneLine, saysItStarts } from '../answer.js';
import {
  accepts,
  type AttemptContext,
  distinctPorts,
  found,
  isQuickAnswer,
  isYoung,
  listeningIn,
  programOutput,
  type Rule,
  startupChange,
  successesBefore,
} from '../attempt-context.js';
import { advise } from '../change.js';
import { programError, reportedError } from '../output/program-output.js';
import { wordsOfProgram, wordsOfShell } from './command-words.js';
import { nothingListens } from './connection-rules.js';
import { exitMeaning, showingCommand } from './exit-meanings.js';

/** Timeouts in a row after which it is doubtful that a command ever ends. */
const ENOUGH = 3;

/** A script that its shell reads in another way than it is meant, or that no shell reads. */
export const scriptMisread: Rule = ({ spec, field, attempt }) => {
  if (spec.exec === undefined) return undefined;
  const { exitCode, output, error } = attempt;
  const { command = [] } = spec.exec;
  const [script = ''] = wordsOfShell(command);
  const text = error ?? output;
  const path = `${field}.exec.command`;
  const lacks = LINE_ENDS.test(text) ? 'lineEnds' : 'interpreter';
  if (lacks === 'lineEnds' || NO_INTERPRETER.test(text)) {
    const [own = ''] = wordsOfProgram(command);
    const changes = advise({ do: 'provide', what: lacks });
    return found({ kind: 'commandNotRunnable', command: own, lacks }, changes);
  }
  if (exitCode === 127 && QUOTED.test(script)) {
    return found({ kind: 'quotedScript' }, advise({ do: 'unquote', field: path }));
  }
  const word = bashWord(text, script);
  if (word !== undefined) {
    return found({ kind: 'bashOnly', word }, advise({ do: 'runWithBash', field: path }));
  }
  const name = missingCommand(text) ?? '';
  if (/^[12]$/.test(name) && SPLIT.test(script)) {
    return found({ kind: 'splitRedirection' }, advise({ do: 'redirect', field: path }));
  }
  if (!/^\w+$/.test(name) || !script.includes(`$(${name})`)) return undefined;
  return found({ kind: 'leftToShell', name }, advise({ do: 'readInShell', name }));
};

export const commandCannotRun: Rule = (context) => {
  const { spec, field, attempt } = context;
  if (spec.exec === undefined) return undefined;
  const { exitCode, reason, output, error } = attempt;
  if (error !== undefined && /\bis paused\b/.test(error)) {
    return found({ kind: 'unknown' }, advise({ do: 'resume', is: 'paused' }));
  }
  // A script may end with these codes for reasons of its own: its shell says which.
  const text = error ?? output;
  const named = missingCommand(text);
  // What runs the command looks for its first word alone.
  const isOfRuntime = reason === 'notFound' || reason === 'notPermitted';
  const words = isOfRuntime ? spec.exec.command : wordsOfProgram(spec.exec.command);
  const [command = ''] = named === undefined ? (words ?? []) : [named];
  const path = `${field}.exec.command`;
  const missing = isUnsplit(spec.exec.command)
    ? advise({ do: 'splitCommand', field: path, ...(OF_DOCKER.test(command) && { word: command }) })
    : advise({ do: 'command', field: path, command, is: 'missing' });
  const notRunnable = advise({ do: 'command', field: path, command, is: 'notRunnable' });
  if (
    exitCode === 126 &&
    (text.trim() === '' || /denied|not executable|cannot execute|exec format/i.test(text))
  ) {
    return found({ kind: 'commandNotRunnable', command, exitCode }, notRunnable);
  }
  // Behind a pipe, the exit code is that of another program.
  if (named !== undefined && exitCode !== undefined) {
    return found({ kind: 'commandMissing', command: named }, missing);
  }
  if (exitCode === 127 && (text.trim() === '' || /not found|no such file/i.test(text))) {
    return found({ kind: 'commandMissing', command, exitCode }, missing);
  }
  if (exitCode === 137) return found({ kind: 'commandKilled' }, []);
  if (reason === 'canceled') {
    const to = DIFFERENCES.cancelsProbesOfEndingPod.until;
    return found({ kind: 'commandCanceled' }, advise({ do: 'upgradeKubelet', to }));
  }
  if (reason === 'notFound') return found({ kind: 'commandMissing', command }, missing);
  if (reason === 'notPermitted') return found({ kind: 'commandNotRunnable', command }, notRunnable);
  return undefined;
};

/** A command that the kubelet has ended: one that waits for a port at which nothing listens is not slow. */
export const commandSlow: Rule = (context) => {
  const { spec, field, probe, attempt } = context;
  if (spec.exec === undefined || attempt.reason !== 'timeout') return undefined;
  const timeout = spec.timeoutSeconds;
  const { attempts } = probe;
  const isEach = attempts.length >= ENOUGH && attempts.every((each) => each.reason === 'timeout');
  if (isEach && successesBefore(context) === undefined) {
    // A cluster's kubelet reports no attempt that succeeded: there may be one from before kprobe came.
    const neverEnded = attempt.evidence === undefined ? ({ neverEnded: true } as const) : {};
    return found(
      { kind: 'commandSlow', timeout, ...neverEnded },
      advise({ do: 'endingCommand', field }),
    );
  }
  const before = successesBefore(context);
  const fault = { kind: 'commandSlow', timeout } as const;
  // What took little time before does not need more now.
  if (before && before.count > 0 && isQuickAnswer(before.slowest, spec)) {
    const changes = advise({ do: 'fixCheck', field: `${field}.exec.command`, worked: true });
    return found(fault, changes, { evidence: [before] });
  }
  return found(fault, advise({ do: 'raise', field: `${field}.timeoutSeconds` }));
};

/** Texts of shells about a program that they do not find, and of programs that run another one. */
const MISSING: readonly RegExp[] = [
  /^(?:\S*sh: (?:(?:line )?\d+: )?|\S+: (?:line )?\d+: )(?:exec: )?([^\s:]+): (?:command )?not found$/m,
  /^\S+: (?:failed to (?:run command|execute) |can't execute )['‘"]([^'’"]+)['’"]: No such file/m,
  /^(?:\S*\/)?(?:env|nice|nohup|setsid): ['‘"]?([^'’":]+)['’"]?: No such file/m,
  /\bexec: "([^"]+)": (?:executable file not found|stat \S+: no such file)/m,
];

/** Returns the program that is missing by what was written. */
export function missingCommand(text: string): string | undefined {
  return MISSING.map((pattern) => pattern.exec(text)?.[1]).find(Boolean);
}

/** `2>&1` without its `>`. */
const SPLIT = /\d&[12](?=\s|$)/;

/** A script that is one quoted word: its shell looks for a program of that name. */
const QUOTED = /^\s*(['"])[^'"]*\s[^'"]*\1\s*$/;

/** Words of bash that other shells take for programs, and its devices. */
const BASH_ONLY =
  /(?<=sh: (?:(?:line )?\d+: )?)(?:\[\[|source|declare|function|let|shopt|mapfile|readarray|pushd)(?=: (?:command )?not found)|\/dev\/(?:tcp|udp)(?=\/.*(?:nonexistent|no such))/i;

/** Complaints of other shells about what only bash reads, and what that is. */
const BASH_SYNTAX: readonly (readonly [RegExp, string])[] = [
  [/sh: (?:\d+: Bad|syntax error: bad) substitution/, '${…} in that form'],
  [/illegal option -o pipefail/i, 'pipefail'],
];
/** Complaints about a test that is also one of two strings for other shells. */
export const BAD_TEST = /\[: .*(?:unexpected operator|unknown operand)/;

/** Returns the word of a script that only bash knows, as far as its shell complains about it. */
function bashWord(text: string, script: string): string | undefined {
  const word = BASH_ONLY.exec(text)?.[0];
  if (word !== undefined) return word;
  if (BAD_TEST.test(text) && /\[ .* == /.test(script)) return '==';
  return BASH_SYNTAX.find(([pattern]) => pattern.test(text))?.[1];
}

/** Texts about a file that is there, and whose interpreter or loader is not. */
export const NO_INTERPRETER =
  /(?:^|: |fork\/)exec \S+: no such file or directory|bad interpreter|required file not found/;
/** Texts about a script whose lines end in carriage returns, which the shell takes for a part of its words. */
export const LINE_ENDS = /\\r['’\"]|\^M|\r: |illegal option -\w*\r/i;

/** Reports whether a command is written for a shell, or as Docker has it, and none runs it. */
export function isUnsplit(command: readonly string[] = []): boolean {
  const [program = ''] = command;
  return /\s/.test(program) || OF_DOCKER.test(program) || operatorsIn(command).length > 0;
}

/** The first word of a health check of Docker and Compose. */
const OF_DOCKER = /^CMD(?:-SHELL)?$/;

/** A program with an operator of a shell that is a word of its own to it. */
const OWN_OPERATOR = /(?:^|\/)(?:find ;|expr .+|(?:test|\[) [<>])$/;

/** Returns the operators of a shell, such as `|`, in a command without one. */
function operatorsIn([program = '', ...args]: readonly string[]): readonly string[] {
  if (OWN_LANGUAGE.test(program)) return [];
  return args.filter(
    (each) =>
      /^(?:&&|\|\|?|;|\d?[<>]{1,2}(?:&\d)?)$/.test(each) &&
      !OWN_OPERATOR.test(`${program} ${each}`),
  );
}

/** Words of a command that are arguments of its script, or that no shell reads. */
export const wordsMisread: Rule = (context) => {
  const command = failedCommand(context);
  if (command === undefined) return undefined;
  const path = `${context.field}.exec.command`;
  const [script, ...ignored] = wordsOfShell(command);
  if (script !== undefined && ignored.length > 0 && !/[\s$]/.test(script)) {
    return found({ kind: 'wordsAfterScript', script }, advise({ do: 'joinScript', field: path }));
  }
  const { output: text } = context.attempt;
  const isGlued = (word: string): boolean => /\S \S/.test(word) && text.includes(word);
  // An interpreter takes the words of one element for the name of its script.
  const isOfScript = OWN_LANGUAGE.test(command[0] ?? '') && wordsOfShell(command).length === 0;
  if (isOfScript && /no such file/i.test(text) && command.slice(1).some(isGlued)) {
    const changes = advise({ do: 'splitCommand', field: path });
    return found({ kind: 'commandFailed', text: oneLine(text) }, changes);
  }
  // The program names a pattern as the file that it looks for.
  const output = text.replaceAll("'", '');
  const patterns = command.filter(
    (word) => /[*?]/.test(word) && output.includes(`${word}: No such file`),
  );
  const words = [...unexpanded(command), ...operatorsIn(command), ...patterns];
  const [word] = words;
  if (word === undefined) return undefined;
  const changes = advise({ do: 'expand', field: path, word });
  return found({ kind: 'notExpanded', words }, changes, { certainty: 'likely' });
};

/** A command that was refused, or that timed out, and the port of this machine that it names. */
function ownPortOf(context: AttemptContext) {
  const command = failedCommand(context);
  if (command === undefined) return undefined;
  const { message, isRefused } = failureOf(context, command);
  if (!isRefused && context.attempt.reason !== 'timeout') return undefined;
  const text = `${command.join(' ')} ${context.attempt.output}`;
  const [, host = '', port] = OWN_PORT.exec(text) ?? [];
  const field = `${context.field}.exec.command`;
  return port === undefined ? undefined : { port: Number(port), host, field, message, isRefused };
}

/** A command asks a port of this machine at which nothing listens. */
export const commandAtWrongPort: Rule = (context) => {
  const [asked, listening] = [ownPortOf(context), listeningIn(context)];
  if (asked === undefined || listening === undefined) return undefined;
  const { port, field } = asked;
  const { sockets } = listening;
  if (sockets.length === 0) return nothingListens(context, `port ${port}`, port);
  if (sockets.some((socket) => socket.port === port)) return undefined;
  const fault = { kind: 'wrongPort', port, listens: distinctPorts(sockets) } as const;
  return found(fault, advise({ do: 'correct', fields: [field] }), { certainty: 'likely' });
};

/** A command is refused at a port of this machine although the program listens there. */
export const commandRefused: Rule = (context) => {
  const [asked, listening] = [ownPortOf(context), listeningIn(context)];
  if (asked?.isRefused !== true || listening === undefined) return undefined;
  if (listening.t >= (context.attempt.startedAt ?? 0)) return undefined;
  const { port, host, field, message } = asked;
  const listens = listening.sockets.filter((socket) => socket.port === port);
  // BusyBox's wget tries one address of localhost, ::1 where the machine has it.
  const [other, ...more] = ['127.0.0.1', '::1'].filter((each) =>
    listens.some(({ address }) => accepts(address, joinHostPort(toByteString(each), port))),
  );
  // A command that has succeeded speaks the server's protocol, and so does pg_isready, which says "no response".
  const mayDiffer = successesBefore(context) === undefined && !/refused|no response/i.test(message);
  if (more.length > 0 && mayDiffer) {
    const changes = advise({ do: 'matchProtocol', field, port });
    return found({ kind: 'commandFailed', text: message }, changes, { certainty: 'likely' });
  }
  if (other === undefined || other === host || more.length > 0) return undefined;
  const changes = advise({ do: 'nameHost', field, host: other });
  return found({ kind: 'otherFamily', listens }, changes, { certainty: 'likely' });
};

/** A command that failed says why in its output, or by the exit code that its program is known for. */
export const commandFailed: Rule = (context) => {
  const command = failedCommand(context);
  if (command === undefined) return undefined;
  const { field, attempt, probe } = context;
  const path = `${field}.exec.command`;
  const { text, message, isSilent, isCut, isRefused } = failureOf(context, command);
  const before = successesBefore(context);
  const wrong = before === undefined ? wrongPart(attempt.output) : undefined;
  if (wrong !== undefined) {
    const changes = advise({ do: 'correct', fields: [`${wrong}${path}`] });
    return found({ kind: 'commandFailed', text: oneLine(text) }, changes);
  }
  if (before === undefined && COMMAND_LIMIT.test(message)) {
    return found(
      { kind: 'commandFailed', text: message },
      advise({ do: 'commandLimit', field: path }),
    );
  }
  const lacks = before === undefined ? missingFile(context, command, message) : undefined;
  if (lacks !== undefined) {
    const certainty = lacks.other === undefined ? 'proven' : 'likely';
    return found({ kind: 'commandFailed', text: message }, advise(lacks), { certainty });
  }
  const showing = isSilent ? showingCommand(command, isCut) : undefined;
  // A program makes the file that says it is ready at the end of its start, and opens its port or socket before.
  const isOpen = (listeningIn(context)?.sockets ?? []).length > 0;
  const start = isSilent && !isOpen && isYoung(context) ? startupChange(context) : [];
  const mayStart = isYoung(context) && probe.type !== 'liveness';
  const changes = advise(
    before !== undefined || showing === undefined
      ? {
          do: 'fixCheck',
          field: path,
          ...(before && { worked: true }),
          ...(mayStart && message === '' && { isYoung: true }),
        }
      : { do: 'runByHand', command: showing },
  );
  const isEarly = /\bsocket\b/.test(message) ? !isOpen : NO_FILE.test(message);
  const isAwaited = mayStart && (isEarly || saysItStarts(message) || (isRefused && !isOpen));
  return found({ kind: 'commandFailed', text: message }, isAwaited ? [] : [...start, ...changes], {
    evidence: [before],
  });
};

/** Returns what to do about a file that the program has not written, or has written elsewhere. */
function missingFile(context: AttemptContext, command: readonly string[], message: string) {
  const [, path] = LACKS_FILE.exec(message) ?? [];
  if (path === undefined || !command.some((word) => word.includes(path))) return undefined;
  const paths = programOutput(context.container, context.attempt)
    .filter((line) => OF_FILES.test(line))
    .flatMap((line) => line.match(PATHS) ?? []);
  const name = path.slice(path.lastIndexOf('/'));
  const other = paths.find((each) => each !== path && each.endsWith(name));
  // Many programs write it at the end of their start.
  if (other === undefined && isYoung(context)) return undefined;
  const field = `${context.field}.exec.command`;
  return { do: 'writeFile', field, path, other } as const;
}

/** The error of a program that lacks a file, which is not a shell or an interpreter: these may lack their script. */
const LACKS_FILE =
  /^(?!\S*(?:sh|node|perl|php|python[\d.]*|ruby): ).*(?:^|[\s'"‘])(\/[^\s:'"’]+)['"’]?: no such file or directory$/i;
const PATHS = /(?<![\w.:/-])\/[\w./-]*\w/g;
/** A line about files: the path of a request may have the same name. */
const OF_FILES =
  /\b(?:creat(?:e|ed|ing)|file|sav(?:e|ed|ing)|touch(?:ed|ing)?|writ(?:e|es|ing|ten)|wrote)\b/i;

/** Returns the command of an attempt that has run it to a failure. */
function failedCommand({ spec, attempt }: AttemptContext): readonly string[] | undefined {
  const hasFailed = attempt.error === undefined && attempt.result === 'failure';
  return hasFailed && spec.exec !== undefined ? (spec.exec.command ?? []) : undefined;
}

const CUT = 'a kubelet reads 10 KiB of its output, which has more';

/** Returns what a failed command wrote, and what that or, without a word, its exit code means. */
function failureOf({ attempt }: AttemptContext, command: readonly string[]) {
  const lines = attempt.output.trim().split('\n');
  const isCut = new TextEncoder().encode(attempt.output).length >= MAX_READ_LENGTH;
  const { text = '' } = (isCut ? reportedError(lines) : programError(lines)) ?? {};
  // jq writes the value that its exit code is about.
  const isSilent = /^(?:|false|null)$/.test(text);
  const exit = isCut ? CUT : exitMeaning(command, attempt.exitCode);
  const meaning = isSilent ? exit : undefined;
  const isRefused = REFUSED.test(meaning ?? attempt.output);
  return { text, message: meaning ?? oneLine(text), isSilent, isCut, isRefused };
}

/** Returns the words before the field for the part of a command that its error is about. */
function wrongPart(text: string): string | undefined {
  return WRONG_PARTS.find(([pattern]) => pattern.test(text))?.[1];
}

const WRONG_PARTS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:returned error: |HTTP Error |HTTP\/1\.1 )(?:404|405)\b/i, 'the path of the URL in '],
  [/\bwrong version number\b|\bWRONG_VERSION_NUMBER\b/, 'https:// in '],
  [/\b(?:invalid|no valid|unknown|unrecogni[sz]ed) (?:sub-?)?command\b/i, ''],
  [/File "<string>"[^]*^SyntaxError: |^sh: (?:line )?\d+: syntax error|^curl: \([123]\) /im, ''],
];

/** A command has ended its own wait for an answer, after the connection. */
const COMMAND_LIMIT =
  /\bown timeout$|\b(?:did|does) not (?:answer|complete|respond) within \d|\boperation timed out after \d|\bread timed? ?out\b/i;
const NO_FILE = /no such file or directory|does not exist$/i;
const REFUSED = /refused|no response|(?:couldn't|could not|can't|failed to|unable to) connect/i;

/** A port of this machine, with its host where there is one, in a command and what it wrote. */
const OWN_PORT =
  /(?:(\blocalhost|127\.0\.0\.1|::1)\b\]?(?:.* -p|.* --port|:| port|\/)?[ =]?|(?<=[\s="']):)(\d{2,5})\b/;

/** Programs whose own language has words that begin with `$`. */
const OWN_LANGUAGE = /(?:sh|awk|sed|grep|perl|php|ruby|node|python[\d.]*)$/;

/** Returns words that only a shell would expand, `$PORT` or `~/ready`, of a command without one. */
export function unexpanded(command: readonly string[]): readonly string[] {
  if (command.some((word) => OWN_LANGUAGE.test(word))) return [];
  return command.filter((word) => /^~(?:\/|$)|\$(?:[A-Za-z_]|\{)/.test(word));
}
