import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { exampleNames, gist, isOfBusyMachine } from '../helpers/example.js';
import { kprobe, ROOT } from '../helpers/kprobe.js';

interface Block {
  readonly page: string;
  readonly line: number;
  /** The comment above it: `in FOLDER`, or `not run: REASON`. */
  readonly note: string;
  readonly text: string;
}

const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && !path.startsWith('site/'))
  .map((path) => join('docs', path));
const examples = exampleNames.map((name) => join('examples', name, 'README.md'));
/** test/commands/lint/rules.test.ts compares what the pages of rules show. */
const pages = ['README.md', ...docs.filter((page) => dirname(page) !== 'docs/rules'), ...examples];

const blocks = pages.flatMap((page): readonly Block[] => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const found = text.matchAll(/(?:<!-- (.*) -->\n)?```console\n([\s\S]*?)\n```/g);
  // test/examples.long.test.ts and the container tests run the first of an example.
  const others = [...found].slice(examples.includes(page) ? 1 : 0);
  return others.map(({ index, 1: note = '', 2: block = '' }) => ({
    ...{ page, note, text: block, line: text.slice(0, index).split('\n').length },
  }));
});

const run = blocks.filter(({ note }) => note.startsWith('in '));

/** A command's words: quotes keep spaces. */
function words(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
}

/** The commands of a session, and what each prints. */
function sessions(text: string): readonly { command: string; printed: readonly string[] }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((session) => {
      const [command = '', ...printed] = session.trimEnd().split('\n');
      return { command, printed: printed.map((line) => line.trimEnd()) };
    });
}

/** What of the shown lines is not in the output, in this order; `…` leaves lines out. */
function unprinted(shown: readonly string[], output: readonly string[]): readonly string[] {
  let at = 0;
  let isFree = false;
  for (const [index, line] of shown.entries()) {
    if (line === '…') {
      isFree = true;
      continue;
    }
    const found = isFree ? output.indexOf(line, at) : at;
    if (output[found] !== line) return shown.slice(index);
    at = found + 1;
    isFree = false;
  }
  return isFree ? [] : output.slice(at);
}

describe('the console blocks of README.md and docs/', () => {
  it('say where they run, or why they are not run', () => {
    const unclear = blocks.filter(({ note }) => !/^(?:in \S+|not run: .+)$/.test(note));
    expect(unclear.map(({ page, line }) => `${page}:${line}`)).toEqual([]);
    expect(run.length).toBeGreaterThan(10);
  });

  it('are fenced: an indented block shows only commands', () => {
    const indented = pages.filter((page) =>
      /^ {4}\$ /m.test(readFileSync(join(ROOT, page), 'utf8')),
    );
    expect(indented).toEqual([]);
  });

  it.concurrent.for(run.map((block) => [`${block.page}:${block.line}`, block] as const))(
    '%s shows what is printed',
    async ([, { note, text }], { expect }) => {
      for (const { command, printed } of sessions(text)) {
        const args = words(command.replace(/^(?:npx )?kprobe /, ''));
        const { stdout, stderr } = await kprobe(args, {
          cwd: join(ROOT, note.slice('in '.length)),
        });
        const output = `${stderr}${stdout}`
          .trimEnd()
          .split('\n')
          .map((line) => line.trimEnd())
          .filter((line) => !isOfBusyMachine(line));
        // What a live run prints differs in its times and in its order.
        if (args[0] === 'run')
          expect(gist(output)).toEqual(
            expect.arrayContaining(gist(printed.filter((line) => line !== '…'))),
          );
        else expect(unprinted(printed, output), output.join('\n')).toEqual([]);
      }
    },
  );
});
