import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

import { kprobe, ROOT } from './helpers/kprobe.js';
import { waitForPort } from './helpers/wait-for-port.js';

const FOLDER = join(ROOT, 'examples');
/** Writes what the examples print into their READMEs, instead of comparing. */
const UPDATE = process.env['UPDATE_EXAMPLES'] !== undefined;

/** Those that need a container engine are run by the container tests. */
const names = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name) => !readme(name).includes('container engine'));

const background: ChildProcess[] = [];

afterEach(async () => {
  for (const child of background.splice(0)) {
    child.kill('SIGKILL');
    await once(child, 'close');
  }
});

describe('the examples', () => {
  it.each(names)(
    '%s prints what its README says',
    async (name) => {
      const { before, session, after } = split(readme(name));
      const printed: string[] = [];
      for (const command of session.filter((line) => line.startsWith('$ '))) {
        printed.push(command, ...(await run(command.slice(2))));
      }
      if (UPDATE)
        writeFileSync(join(FOLDER, name, 'README.md'), [before, ...printed, after].join('\n'));
      else expect(printed.map(timeless)).toEqual(session.map(timeless));
    },
    60_000,
  );
});

function readme(name: string): string {
  return readFileSync(join(FOLDER, name, 'README.md'), 'utf8');
}

/** The lines of the first console session, and the text around them. */
function split(text: string): { before: string; session: string[]; after: string } {
  const [before = '', rest = ''] = text.split(/(?<=```console)\n/, 2);
  const end = rest.indexOf('\n```');
  return { before, session: rest.slice(0, end).split('\n'), after: rest.slice(end + 1) };
}

async function run(command: string): Promise<string[]> {
  const words = command.split(' ');
  if (words.at(-1) === '&') {
    await startServer(words.slice(1, -1));
    return [];
  }
  const { stdout, stderr } = await kprobe(words.slice(1));
  return `${stderr}${stdout}`.trimEnd().split('\n');
}

/** Starts a server of an example, and waits until it listens at the ports that its text names. */
async function startServer(args: readonly string[]): Promise<void> {
  background.push(spawn(process.execPath, args, { cwd: ROOT, stdio: 'ignore' }));
  const source = readFileSync(join(ROOT, args[0] ?? ''), 'utf8');
  for (const [, port] of source.matchAll(/listen\((\d+)/g)) await waitForPort(Number(port));
}

/** A line without what differs from run to run: times, spans, generated ids. */
function timeless(line: string): string {
  return line
    .replace(/^ *\d+\.\d{3}s/, '<time>')
    .replace(/\d+(?:\.\d+)? (?:ms|s)\b/g, '<span>')
    .replace(/\([0-9a-f]{8}-[0-9a-f-]{27}\)/g, '(<uid>)')
    .trimEnd();
}
