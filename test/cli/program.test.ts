import { Command } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';

import { COMMANDS } from '../../src/cli/program.js';
import type { Io } from '../../src/cli/shared/io.js';
import { startApiServer, writeKubeconfig } from '../cluster/fake-api-server.js';
import { inProcess } from '../helpers/in-process.js';

describe('the description of', () => {
  it.each(COMMANDS)('$name has no line breaks within paragraphs', async ({ add }) => {
    const program = new Command();
    await add(program, { io: {} as Io, commandLine: undefined, done: () => undefined });
    expect(program.commands[0]?.description()).not.toMatch(/[^\n]\n[^\n]/);
  });
});

describe('the help of kprobe run', () => {
  it('has each option in a group', async () => {
    const program = new Command();
    const run = COMMANDS.find(({ name }) => name === 'run');
    await run?.add(program, { io: {} as Io, commandLine: undefined, done: () => undefined });
    const groups = new Map<string | undefined, number>();
    for (const { helpGroupHeading } of program.commands[0]?.options ?? []) {
      groups.set(helpGroupHeading, (groups.get(helpGroupHeading) ?? 0) + 1);
    }
    expect(groups.has(undefined)).toBe(false);
    expect(Math.max(...groups.values())).toBeLessThan(20);
  });
});

it('ends with the exit code of the signal while an API server is silent', async () => {
  const stopping = new AbortController();
  const server = await startApiServer(() => stopping.abort(143));
  const kubeconfig = writeKubeconfig(server);
  const argv = ['once', '--kube', 'pod/web', '--kubeconfig', kubeconfig.file];
  const { code } = await inProcess(argv, { signal: stopping.signal });
  expect(code).toBe(143);
  await server.close();
  kubeconfig.remove();
});
