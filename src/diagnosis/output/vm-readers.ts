import { baseName, type Reader } from './runtime-readers.js';

export const java: Reader = (output) => {
  const lines = output.map((each) => (INTERRUPTED.test(each) ? '' : each));
  const memory = lines.findLastIndex((each) => /\bjava\.lang\.OutOfMemoryError\b/.test(each));
  if (memory !== -1)
    return {
      text: /java\.lang\.OutOfMemoryError.*/.exec(lines[memory] ?? '')?.[0] ?? '',
      line: memory,
    };
  const cause = lines.findLastIndex((each) => /^\s*Caused by: /.test(each));
  const thrown = lines.findLastIndex((each) =>
    /^Exception in thread "[^"]*" |^(?:[a-z]\w*\.)+[A-Z][\w$]*(?:Exception|Error)\b/.test(each),
  );
  const vm = lines.findLastIndex((each) =>
    /^Error: (?:Unable to (?:access|initialize|load)|Could not (?!create)|Invalid|LinkageError|A JNI)/.test(
      each,
    ),
  );
  const line = Math.max(cause, thrown);
  if (line !== -1) {
    const { [line]: last = '' } = lines;
    const text =
      (cause > thrown ? tried(lines.slice(0, cause), last) : last) + messageRest(lines, line);
    return { text: text.replace(THROWN, ''), at: stackPlace(lines.slice(line)), line };
  }
  const [, linked] = /^\s+(\S+Error: .*)/.exec(lines[vm + 1] ?? '') ?? [];
  return vm === -1 ? undefined : { text: linked ?? lines[vm] ?? '', line: vm };
};

/** The report of a JVM that has crashed in native code, all of whose lines begin with `#`. */
export const jvmCrash: Reader = (lines) => {
  const line = lines.findLastIndex((each) => /^# +SIG[A-Z]+ \(0x/.test(each));
  if (line === -1) return undefined;
  const [signal = ''] = /SIG[A-Z]+/.exec(lines[line] ?? '') ?? [];
  const at = lines.findIndex((each) => /^# Problematic frame:/.test(each));
  const frame = lines[at + 1]?.replace(/^#\s*/, '') ?? '';
  return { text: at === -1 ? signal : `${signal} in ${frame}`, line };
};

/** Lines that a message of Java may have before its stack. */
const MESSAGE_LINES = 8;

/** Returns the lines of a message that follow its first one, where a stack shows its end. */
function messageRest(lines: readonly string[], first: number): string {
  const rest = lines.slice(first + 1, first + 1 + MESSAGE_LINES);
  const stack = rest.findIndex((each) => /^\s+at /.test(each));
  const message = rest.slice(0, Math.max(0, stack)).filter((each) => /\w/.test(each));
  return message.map((each) => ` ${each.trim()}`).join('');
}

const THROWN = /^\s*(?:Exception in thread "[^"]*" |Caused by: )/;

/** Returns the last error before one that names no address or file of settings, where it does. */
function tried(before: readonly string[], inner: string): string {
  const isBare = /\b(?:refused|reset|timed out)\b/i.test(inner) && !ADDRESS.test(inner);
  const head = isBare ? before.findLast((each) => CHAIN.test(each)) : undefined;
  if (head !== undefined && ADDRESS.test(head)) return head;
  const outer = before.findLast((each) => CHAIN.test(each)) ?? '';
  const isPlaced = SETTINGS.test(outer) && !SETTINGS.test(inner);
  return isPlaced ? `${outer}: ${inner.replace(THROWN, '')}` : inner;
}

/** An error of a chain, without its stack. */
const CHAIN =
  /^\s*(?:Exception in thread "|Caused by: |(?:[a-z]\w*\.)+[A-Z][\w$]*(?:Exception|Error)\b)/;
const SETTINGS = /\/[\w.-]+\.(?:cfg|conf|json|properties|toml|xml|ya?ml)\b/;
const ADDRESS = /[\w-](?:\/[\d.]+)?:\d{2,5}\b/;

/** Threads that wait are interrupted when a program ends for another reason. */
const INTERRUPTED = /\binterrupted/i;

/** Returns the first place of a stack that is no library's, in Java or Node. */
export function stackPlace(lines: readonly string[]): string | undefined {
  const library =
    /node_modules|\(node:|\(<anonymous>\)$|^\s*at (?:node:|(?:[\w.]+\/)?(?:java|javax|jdk|sun|scala|kotlin|reactor|ch\.qos|com\.(?:fasterxml|google|mysql|sun|zaxxer)|io\.(?:grpc|lettuce|micrometer|netty)|org\.(?:springframework|apache|eclipse|flywaydb|hibernate|postgresql|slf4j|yaml))\.)/;
  const ofProgram = lines.find((each) => /^\s*at /.test(each) && !library.test(each));
  return /([\w.-]+\.\w+:\d+)(?::\d+)?\)?$/.exec(ofProgram ?? '')?.[1];
}

export const dotnet: Reader = (lines) => {
  const line = lines.findLastIndex((each) => /^\s*Unhandled exception[.:] /i.test(each));
  if (line === -1) return dotnetHost(lines);
  // Older versions print a chain in one line.
  const rest = lines.slice(line).flatMap((each) => each.split(/ (?=---> )/));
  const [, path, row] =
    rest.map((each) => / in (\S+\.(?:cs|fs|vb)):line (\d+)/.exec(each)).find(Boolean) ?? [];
  const chain = rest.filter((each) => EXCEPTION.test(each));
  const text = withTried(chain.map((each) => each.replace(EXCEPTION, '')));
  const isBind = rest.some((each) => /\bSocket\.DoBind\(/.test(each));
  return {
    text: isBind ? `bind: ${text}` : text,
    at: path === undefined ? undefined : `${baseName(path.replaceAll('\\', '/'))}:${row}`,
    line,
  };
};

/** The text before an exception in a chain. */
const EXCEPTION = /^\s*(?:Unhandled exception[.:] |---> (?:\(Inner Exception #\d+\) )?)/i;

/** Returns the innermost of a chain of errors: one of the system does not say what was tried, so that what does precedes it. */
function withTried(errors: readonly string[]): string {
  const inner = errors.at(-1) ?? '';
  const system = /^System\.Net\.Sockets\.SocketException \(\d+\): (.+?)\.?$/.exec(inner)?.[1];
  if (system === undefined) return inner;
  const repeats = `: ${system}`.toLowerCase();
  const isMore = (each: string): boolean =>
    each.slice(each.indexOf(': ')).toLowerCase().replace(/\.$/, '') !== repeats;
  const tried = errors.findLast(isMore) ?? inner;
  return tried.toLowerCase().includes(repeats) ? tried : `${tried}: ${system}`;
}

/** The host does not begin without the version of the framework that a program is built for. */
const dotnetHost: Reader = (lines) => {
  const line = lines.findLastIndex((each) => /^Framework: '/.test(each));
  const told = lines.find((each) => /^You must install or update \.NET/.test(each));
  if (line === -1 || told === undefined) return undefined;
  return { text: `${told.replace(/\.$/, '')}: ${lines[line]?.slice('Framework: '.length)}`, line };
};

/** The console log of .NET: a level with a category, the message in the next line, and an exception after it. */
export const dotnetLog: Reader = (lines) => {
  const line = lines.findLastIndex((each) => /^(?:fail|crit): [\w.]+\[\d+\]$/.test(each));
  const [message = '', thrown = ''] = lines.slice(line + 1).map((each) => each.trim());
  if (line === -1 || message === '') return undefined;
  const [, error] = /^[\w.]+Exception(?: \(\w+\))?: (.+)/.exec(thrown) ?? [];
  return { text: error === undefined || message.includes(error) ? message : thrown, line };
};
