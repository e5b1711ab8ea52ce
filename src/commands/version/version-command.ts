import type { Command } from '@commander-js/extra-typings';

import { EXIT } from '../../cli/shared/exit-code.js';
import { type CommandInput, type Io, jsonOutput, write } from '../../cli/shared/io.js';
import { withShared } from '../../cli/shared/options.js';
import { DEFAULT_RELEASE } from '../../kubelet/release.js';
import { VERSION } from '../../version.js';

export function options(program: Command) {
  const command = program
    .command('version')
    .description('Print the versions of kprobe, of the kubelet that it follows, and of Node.');
  return withShared(command, 'textOrJson');
}

type VersionFlags = ReturnType<ReturnType<typeof options>['opts']>;

export async function command({ flags }: CommandInput<VersionFlags>, io: Io) {
  const versions = {
    kprobe: VERSION,
    kubelet: `v${DEFAULT_RELEASE}`,
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  };
  const lines = Object.entries(versions).map(
    ([name, version]) => `${name.padEnd('platform'.length)}  ${version}\n`,
  );
  await write(io.stdout, flags.output === 'json' ? jsonOutput(versions) : lines.join(''));
  return EXIT.success;
}
