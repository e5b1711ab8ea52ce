import type { Command } from '@commander-js/extra-typings';

import { EXIT } from '../../cli/shared/exit-code.js';
import { type CommandInput, type Io, jsonText, write } from '../../cli/shared/io.js';
import { choice } from '../../cli/shared/options.js';
import { VERSION } from '../../cli/shared/version.js';
import { DEFAULT_RELEASE } from '../../kubelet/release.js';

export function options(program: Command) {
  return program
    .command('version')
    .description('Print the versions of kprobe, of the kubelet that it follows, and of Node.')
    .addOption(choice('-o, --output <format>', 'text or JSON (text)', ['text', 'json']));
}

type VersionFlags = ReturnType<ReturnType<typeof options>['opts']>;

export async function command({ flags }: CommandInput<VersionFlags>, io: Io) {
  const versions = {
    kprobe: VERSION,
    kubelet: `v${DEFAULT_RELEASE}`,
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
  };
  const text =
    flags.output === 'json'
      ? jsonText(versions)
      : Object.entries(versions)
          .map(([name, version]) => `${name.padEnd('platform'.length)}  ${version}\n`)
          .join('');
  await write(io.stdout, text);
  return EXIT.success;
}
