import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';

import {
  checkClusterOptions,
  withClusterOptions,
  withKube,
} from '../../../src/cli/shared/cluster-options.js';

function parse(...words: readonly string[]) {
  const command = withKube(new Command('kprobe').exitOverride(), 'the object').configureOutput({
    writeErr: () => undefined,
  });
  return command.parse(words, { from: 'user' }).opts();
}

describe('withClusterOptions', () => {
  it("reads kubectl's flags", () => {
    expect(
      parse(
        '--kube',
        'deploy/web',
        '-n',
        'shop',
        '-s',
        'https://a',
        '--as-group',
        'x',
        '--as-group',
        'y',
      ),
    ) //
      .toEqual({ kube: 'deploy/web', namespace: 'shop', server: 'https://a', asGroup: ['x', 'y'] });
  });

  it.each([
    ['0', 0],
    ['5', 5],
    ['1m30s', 90],
  ])('reads a request timeout of %s', (text, seconds) => {
    expect(parse('--request-timeout', text).requestTimeout).toBe(seconds);
  });

  it('refuses a request timeout that is no duration', () => {
    expect(() => parse('--request-timeout', 'soon')).toThrow('Durations are written as 30s');
  });

  it('lists the options apart from the others', () => {
    const help = withClusterOptions(new Command('kprobe').option('--other')).helpInformation();
    expect(help).toMatch(/--other[^]*\nCluster:\n {2}-n, --namespace/);
  });
});

describe('checkClusterOptions', () => {
  it.each<[string[], string | undefined]>([
    [['-n', 'shop'], '--namespace needs --kube'],
    [['--as', 'eve'], '--as needs --kube'],
    [['-n', 'shop', '--kube', 'pod/web'], undefined],
    [[], undefined],
  ])('of %j says %s', (typed, message) => {
    const command = withKube(new Command(), 'an object');
    command.parse(typed, { from: 'user' });
    const check = (): void => checkClusterOptions(command);
    if (message === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(message);
  });

  it('accepts a default, which may be for other commands', () => {
    const command = withKube(new Command(), 'an object').parse([], { from: 'user' });
    command.setOptionValueWithSource('namespace', 'shop', 'config');
    expect(() => checkClusterOptions(command as CommandUnknownOpts)).not.toThrow();
  });
});
