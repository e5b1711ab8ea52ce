import { Command } from 'commander';
import { describe, expect, it } from 'vitest';

import { COMMANDS } from '../../src/cli/commands.js';
import type { Io } from '../../src/cli/shared/io.js';

describe('the help of', () => {
  it.each(COMMANDS.map(({ name, load }) => ({ name, load })))(
    '$name leaves the line breaks to the terminal',
    async ({ load }) => {
      const program = new Command();
      (await load())(program, {} as Io, () => undefined, undefined);
      expect(program.commands[0]?.description()).not.toMatch(/[^\n]\n[^\n]/);
    },
  );
});
