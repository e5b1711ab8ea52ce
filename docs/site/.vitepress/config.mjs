import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { defineConfig } from 'vitepress';

const item = (text, link) => ({ text, link: `/${link}` });

const PAGES = join(import.meta.dirname, '../pages');
const title = (page) => /^# (.+)/m.exec(readFileSync(join(PAGES, page), 'utf8'))?.[1] ?? page;
const pages = (folder, ...names) =>
  names.map((name) => item(title(`${folder}/${name}.md`), `${folder}/${name}`));

const COMMANDS = ['once', 'explain', 'simulate', 'replay', 'suggest', 'lint', 'validate', 'diff'];
const TASKS = ['tasks', 'containers', 'cluster', 'tui'];
const REFERENCE = ['commands', 'output', 'trace-format', 'api'];
const BACKGROUND = ['how-it-works', 'comparison', 'reliability', 'causes'];
const listed = new Set([...COMMANDS, ...TASKS, ...REFERENCE, ...BACKGROUND, 'install']);
/** Pages that no list above names are reference, too. */
const others = readdirSync(join(PAGES, 'docs'))
  .filter((file) => file.endsWith('.md') && !listed.has(file.slice(0, -3)))
  .map((file) => file.slice(0, -3));

export default defineConfig({
  title: 'kprobe',
  description:
    "Runs a pod's probes as the kubelet does, and says why it restarts or never gets ready",
  srcDir: 'pages',
  outDir: '../../build/site',
  cacheDir: '../../build/site-cache',
  markdown: { theme: { light: 'github-light', dark: 'github-dark' } },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      item('Start', ''),
      item('Tasks', 'docs/tasks'),
      item('How probes work', 'docs/how-it-works'),
      item('Commands', 'docs/commands'),
    ],
    sidebar: [
      {
        text: 'Start',
        items: [item('Start', ''), ...pages('docs', 'install'), item('Examples', 'examples/')],
      },
      { text: 'Tasks', items: pages('docs', ...TASKS) },
      { text: 'Commands', collapsed: true, items: pages('docs', ...COMMANDS) },
      {
        text: 'Reference',
        items: [
          ...pages('docs', ...REFERENCE, ...others),
          item('Rules of lint', 'docs/rules/'),
          item('Types of the library', 'docs/library/'),
        ],
      },
      {
        text: 'Background',
        items: [...pages('docs', ...BACKGROUND), item('Changelog', 'CHANGELOG')],
      },
      {
        text: 'Internals',
        collapsed: true,
        items: pages('docs/internals', 'fidelity', 'architecture', 'benchmarks', 'scale'),
      },
    ],
    socialLinks: [{ icon: 'github', link: 'https://github.com/kprobe/kprobe' }],
  },
});
