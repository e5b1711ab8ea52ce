import { expect, it } from 'vitest';

import { checkRelations, type Relations } from '../../../src/cli/shared/relations.js';

interface Flags {
  readonly create?: true;
  readonly docker?: readonly string[];
  readonly keepAlive?: true;
  readonly runs?: number;
  readonly output?: string;
}

const RELATIONS: Relations<Flags> = {
  requires: { keepAlive: ['create', 'docker', '--'], '--': ['create'] },
  outputs: { runs: ['text', 'json'] },
};

it.each<[Flags, string[] | undefined, string]>([
  [{ keepAlive: true }, undefined, '--keep-alive needs --create or --docker or a command after --'],
  [{}, ['ls'], 'a command after -- needs --create'],
  [
    { runs: 2, output: 'svg' },
    undefined,
    '--runs cannot be combined with -o svg: use -o text or -o json',
  ],
])('rejects %o with the command %o', (flags, commandLine, message) => {
  expect(() => {
    checkRelations(RELATIONS, flags, commandLine);
  }).toThrow(message);
});

it.each<[Flags, string[] | undefined]>([
  [{}, undefined],
  [{ keepAlive: true, docker: ['web'] }, undefined],
  [{ keepAlive: true, create: true }, ['ls']],
  [{ runs: 2 }, undefined],
  [{ runs: 2, output: 'json' }, undefined],
  [{ output: 'svg' }, undefined],
])('accepts %o with the command %o', (flags, commandLine) => {
  expect(() => {
    checkRelations(RELATIONS, flags, commandLine);
  }).not.toThrow();
});
