import type { EventEmitter } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { CommandUnknownOpts, Option } from '@commander-js/extra-typings';

import { EXIT } from '../../cli/shared/exit-code.js';
import { orUsageError } from '../../cli/shared/file-errors.js';
import { VERSION } from '../../version.js';

/** `kprobe __man FOLDER` for the build: writes a man page for kprobe and for each command, from what `--help` prints. */
export function writeManPages(program: CommandUnknownOpts, folder: string): Promise<number> {
  const pages = [program, ...program.commands];
  return orUsageError(folder, () => {
    mkdirSync(folder, { recursive: true });
    for (const page of pages)
      writeFileSync(join(folder, `${nameOf(page)}.1`), manPage(page, pages));
    return EXIT.success;
  });
}

/** `kprobe-run`, the name of a command's page. */
function nameOf(command: CommandUnknownOpts): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)}-${command.name()}`;
}

function manPage(command: CommandUnknownOpts, pages: readonly CommandUnknownOpts[]): string {
  const name = nameOf(command);
  const [first = '', ...rest] = command.description().split(/\n\n+/);
  const summary = (command.summary() || first).replace(/\.$/, '');
  const others = pages
    .filter((page) => page !== command)
    .map((page) => `.BR ${roff(nameOf(page))} (1)`);
  return [
    `.TH ${name.toUpperCase().replaceAll('-', '\\-')} 1 "" "kprobe ${VERSION}" "kprobe"`,
    '.SH NAME',
    `${roff(name)} \\- ${roff(summary)}`,
    '.SH SYNOPSIS',
    `.B ${roff(name.replace('-', ' '))}`,
    roffLine(command.usage()),
    '.SH DESCRIPTION',
    [first, ...rest].map(roffLine).join('\n.PP\n'),
    ...commandRows(command),
    ...optionRows(command),
    ...afterHelp(command),
    '.SH SEE ALSO',
    others.join(' ,\n'),
    '',
  ].join('\n');
}

function commandRows(program: CommandUnknownOpts): readonly string[] {
  if (program.commands.length === 0) return [];
  const rows = program.commands.map(
    (command) => `.TP\n.B ${roff(command.name())}\n${roffLine(command.summary())}`,
  );
  return ['.SH COMMANDS', ...rows];
}

/** Lists the options under their headings, as the help does. */
function optionRows(command: CommandUnknownOpts): readonly string[] {
  const help = command.createHelp();
  const groups = new Map<string, Option[]>();
  for (const option of help.visibleOptions(command)) {
    const heading = (option.helpGroupHeading ?? 'Options:').replace(/:$/, '').toUpperCase();
    groups.set(heading, [...(groups.get(heading) ?? []), option]);
  }
  return [...groups].flatMap(([heading, options]) => [
    `.SH ${heading === 'CLUSTER' ? 'CLUSTER OPTIONS' : heading}`,
    ...options.map(
      (option) =>
        `.TP\n.B ${roff(help.optionTerm(option))}\n${roffLine(help.optionDescription(option))}`,
    ),
  ]);
}

/** Returns the texts after the help, such as the exit codes, with their first words as headings. */
function afterHelp(command: CommandUnknownOpts): readonly string[] {
  let text = '';
  const write = (part: string): void => {
    text += part;
  };
  // Emits the texts that were added with addHelpText.
  (command as unknown as EventEmitter).emit('afterHelp', { error: false, command, write });
  return text
    .trim()
    .split(/\n\n+/)
    .filter((part) => part !== '')
    .flatMap((part) => {
      const [, heading = '', body = ''] = /^([\w ]+):[ \n](.*)$/s.exec(part) ?? ['', 'Notes', part];
      return [
        `.SH ${heading.toUpperCase()}`,
        '.nf',
        ...body.replace(/^ {2}/gm, '').split('\n').map(roffLine),
        '.fi',
      ];
    });
}

/** Escapes what troff would interpret. */
function roff(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq');
}

/** Escapes lines, so that no line begins with a request of troff. */
function roffLine(text: string): string {
  return roff(text)
    .split('\n')
    .map((line) => line.replace(/^(?=[.'])/, '\\&'))
    .join('\n');
}
