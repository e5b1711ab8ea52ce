// Gathers the pages of the site in pages/: the repository's Markdown as it lies there, the commands from --help, the library from
// TypeDoc. dist/ has to be built.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, posix, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGES = join(import.meta.dirname, 'pages');
const REPOSITORY = 'https://github.com/kprobe/kprobe';
const RAW = 'https://raw.githubusercontent.com/kprobe/kprobe/main/';

/** The repository's files under a folder, without those of the site. */
const filesIn = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(import.meta.dirname))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));

const named = (path) => path.replace(/(^|\/)README\.md\b/, '$1index.md');

/** A link of a page as the site has it: other files are on GitHub. */
function linked(page, to) {
  if (to.startsWith(RAW)) return posix.relative(posix.dirname(page) || '.', to.slice(RAW.length));
  if (/^(?:https?:|#|mailto:)/.test(to)) return to;
  const [path, anchor] = to.split('#');
  const target = posix.join(posix.dirname(page), path);
  if (target === 'docs/rules') return `${path}/index.md`;
  if (path.endsWith('.md')) return named(path) + (anchor === undefined ? '' : `#${anchor}`);
  if (/\.(?:svg|png)$/.test(path)) return to;
  const kind =
    existsSync(join(ROOT, target)) && statSync(join(ROOT, target)).isDirectory() ? 'tree' : 'blob';
  return `${REPOSITORY}/${kind}/main/${target}`;
}

function write(page, text) {
  mkdirSync(dirname(join(PAGES, page)), { recursive: true });
  writeFileSync(join(PAGES, page), text);
}

rmSync(PAGES, { recursive: true, force: true });
const files = ['docs', 'examples'].flatMap(filesIn);
const pages = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...files.filter((file) => file.endsWith('.md')),
];
for (const page of pages) {
  // What kprobe prints is no shell, and has no colors of one.
  const source = readFileSync(join(ROOT, page), 'utf8').replaceAll('```console', '```text');
  const text = source.replaceAll(/\]\(([^)\s]+)\)/g, (_, to) => `](${linked(page, to)})`);
  write(named(page), text);
}
for (const picture of files.filter((file) => file.endsWith('.svg'))) {
  mkdirSync(dirname(join(PAGES, picture)), { recursive: true });
  cpSync(join(ROOT, picture), join(PAGES, picture));
}
cpSync(join(ROOT, 'llms.txt'), join(PAGES, 'public/llms.txt'));

const help = (...args) =>
  execFileSync(process.execPath, [join(ROOT, 'bin/kprobe.js'), ...args, '--help'], {
    encoding: 'utf8',
  });
const [, list = ''] = help().split('\nCommands:\n');
const commands = [...list.split('\n\n')[0].matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
const sections = commands
  .filter((name) => name !== 'help')
  .map((name) => `## kprobe ${name}\n\n\`\`\`text\n${help(name).trim()}\n\`\`\`\n`);
write('docs/commands.md', `# Commands\n\nWhat \`--help\` prints.\n\n${sections.join('\n')}`);

const rules = pages
  .filter((page) => dirname(page) === 'docs/rules')
  .map((page) => basename(page, '.md'));
write(
  'docs/rules/index.md',
  `# Rules\n\n${rules.map((rule) => `- [${rule}](${rule}.md)`).join('\n')}\n`,
);

execFileSync(
  join(import.meta.dirname, 'node_modules/.bin/typedoc'),
  [
    ...['--plugin', 'typedoc-plugin-markdown', '--entryPoints', join(ROOT, 'src/index.ts')],
    ...['--tsconfig', join(ROOT, 'tsconfig.json'), '--out', join(PAGES, 'docs/library')],
    ...['--entryFileName', 'index', '--disableSources', '--skipErrorChecking', '--readme', 'none'],
    ...['--hideBreadcrumbs', '--hidePageHeader', '--logLevel', 'Error'],
  ],
  { cwd: ROOT, stdio: 'inherit' },
);
