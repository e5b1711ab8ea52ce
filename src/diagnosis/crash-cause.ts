import type { Cause } from './cause.js';

/** Finds the error in a program's last output, which often stands far above its last line. */
export function crashCause(lines: readonly string[]): Cause | undefined {
  const taken = takenPort(lines);
  if (taken !== undefined) return taken;
  for (const language of LANGUAGES) {
    const found = language(lines);
    if (found === undefined) continue;
    const { at } = found;
    const why = found.error.trim();
    return at === undefined
      ? { why, change: FIX }
      : { why: `${why} (${at})`, change: `Fix the program at ${at}` };
  }
  const error = lines.findLast((line) => /\b(?:error|fatal|panic|exception)\b/i.test(line));
  const last = error ?? lines.findLast((line) => line.trim() !== '');
  return last === undefined ? undefined : { why: last.trim(), change: FIX };
}

/** Finds the cause of an end by a signal that the kubelet did not send; the output has none. */
export function signalCause(exitCode: number | undefined): Cause | undefined {
  switch (exitCode) {
    case 137:
      return {
        why: 'something other than the kubelet sent KILL, often the system for lack of memory',
        change: 'Raise resources.limits.memory, or use less memory',
      };
    case 139:
      return { why: 'a segmentation fault (SEGV) ended it', change: FIX };
    case 143:
      return { why: 'something other than the kubelet sent TERM' };
    default:
      return undefined;
  }
}

const FIX = 'Fix the program, or its command, args and env';

/** Finds the complaint about a port that another process listens on. */
export function takenPort(lines: readonly string[]): Cause | undefined {
  const line = lines.findLast((one) => TAKEN.test(one));
  if (line === undefined) return undefined;
  const port = /:(\d{2,5})\b(?!.*:\d)/.exec(line)?.[1];
  const what = port === undefined ? 'the port' : `port ${port}`;
  return {
    why: line.trim().replace(/^.*?(?=\b(?:\w*Error|listen)\b)/, ''),
    change: `Free ${what}, or let the program listen on another one`,
  };
}

const TAKEN = /address already in use|\bEADDRINUSE: /i;

interface Found {
  readonly error: string;
  /** `server.js:3` */
  readonly at?: string | undefined;
}

type Language = (lines: readonly string[]) => Found | undefined;

/** Prints the place, the line with a mark below it, the error, its stack and then `Node.js v20`. */
const node: Language = (lines) => {
  const end = lines.findLastIndex((line) => /^Node\.js v\d/.test(line));
  const error = lastMatch(
    lines.slice(0, Math.max(0, end)),
    /^(?:Uncaught )?[\w.]*(?:Error|Exception)\b.*/,
  );
  if (error === undefined) return undefined;
  const places = lines.flatMap((line) => {
    const [, path, row] = /((?:file:\/\/)?[^\s(:]*\/[^\s(:]+\.[cm]?[jt]sx?):(\d+)/.exec(line) ?? [];
    return path === undefined || path.includes('node_modules') ? [] : [`${baseName(path)}:${row}`];
  });
  return { error, at: places[0] };
};

const go: Language = (lines) => {
  const begin = lines.findIndex((line) => /^(?:panic|fatal error): /.test(line));
  if (begin === -1) return undefined;
  const frames = lines.slice(begin).flatMap((line) => {
    const [, path, row] = /^\t(\S+\.go):(\d+)/.exec(line) ?? [];
    const isLibrary = path === undefined || /\/(?:go|golang)[^/]*\/src\//.test(path);
    return isLibrary ? [] : [`${baseName(path)}:${row}`];
  });
  return { error: lines[begin] ?? '', at: frames[0] };
};

const python: Language = (lines) => {
  const begin = lines.findLastIndex((line) => line.startsWith('Traceback (most recent call last)'));
  if (begin === -1) return undefined;
  const after = lines.slice(begin + 1);
  const end = after.findIndex((line) => /^\S/.test(line));
  const own = after
    .slice(0, end)
    .filter((line) => !/\/(?:lib\/python|site-packages)|"<frozen /.test(line));
  const [, path, row] = lastExec(own, /^\s+File "(.+?)", line (\d+)/) ?? [];
  const at = path === undefined ? undefined : `${baseName(path)}:${row}`;
  return end === -1 ? undefined : { error: after[end] ?? '', at };
};

const java: Language = (lines) => {
  const error =
    lastMatch(lines, /^Caused by: .*/) ??
    lastMatch(lines, /^Exception in thread .*/)?.replace(/^Exception in thread "[^"]*" /, '');
  return error === undefined ? undefined : { error: error.replace(/^Caused by: /, '') };
};

const rust: Language = (lines) => {
  const begin = lines.findIndex((line) => /^thread '.*' (?:\(\d+\) )?panicked at /.test(line));
  const [, at = ''] = /panicked at (.*?):?$/.exec(lines[begin] ?? '') ?? [];
  return begin === -1 ? undefined : { error: `panic: ${lines[begin + 1] ?? ''}`, at };
};

const LANGUAGES: readonly Language[] = [node, go, python, java, rust];

function lastExec(lines: readonly string[], pattern: RegExp): RegExpExecArray | undefined {
  const line = lines.findLast((one) => pattern.test(one));
  return line === undefined ? undefined : (pattern.exec(line) ?? undefined);
}

function lastMatch(lines: readonly string[], pattern: RegExp): string | undefined {
  return lastExec(lines, pattern)?.[0];
}

function baseName(path: string): string {
  return path.split('/').at(-1) ?? path;
}
