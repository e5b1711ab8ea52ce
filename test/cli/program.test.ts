import { Command } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';

import { COMMANDS } from '../../src/cli/program.js';
import type { Io } from '../../src/cli/shared/io.js';

describe('the description of', () => {
  it.each(COMMANDS)('$name has no line breaks within paragraphs', async ({ add }) => {
    const program = new Command();
    await add(program, { io: {} as Io, commandLine: undefined, done: () => undefined });
    expect(program.commands[0]?.description()).not.toMatch(/[^\n]\n[^\n]/);
  });
});
