import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it } from 'vitest';

import packageJson from '../../package.json' with { type: 'json' };
import { ROOT } from '../helpers/kprobe.js';

const { homepage, repository, bugs } = packageJson;
const RAW = homepage.replace('https://github.com/', 'https://raw.githubusercontent.com/');

/** Returns the addresses of a page's links and pictures. */
function links(page: string): readonly { readonly isPicture: boolean; readonly to: string }[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/```[\s\S]*?```/g, '');
  return [...text.matchAll(/(!?)\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, mark, to = '']) => ({
    isPicture: mark === '!',
    to,
  }));
}

describe('README.md', () => {
  it('has pictures that npm shows: of the main branch, by their whole address', () => {
    const pictures = links('README.md').filter(({ isPicture }) => isPicture);
    expect(pictures).not.toEqual([]);
    for (const { to } of pictures) {
      expect(to.startsWith(`${RAW}/main/`) ? '' : to).toBe('');
      expect(existsSync(join(ROOT, to.slice(`${RAW}/main/`.length)))).toBe(true);
    }
  });

  const screens = [
    'docs/recording.svg',
    'docs/screen.svg',
    ...readdirSync(join(ROOT, 'docs/screens')).map((name) => `docs/screens/${name}`),
  ].map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const);

  it.each(screens)('has pictures in which browsers keep the spaces: %s', (_, svg) => {
    expect(svg).toContain('text { white-space: pre }');
  });

  it.each(screens)('has pictures without a path of the machine that took them: %s', (_, svg) => {
    expect(svg).not.toMatch(/[ >(]\/(?:work|home|root|tmp|usr|Users|check)\//);
  });

  it('has a repository that npm resolves its other links by', () => {
    expect(repository).toEqual({ type: 'git', url: `git+${homepage}.git` });
    expect(bugs.url).toBe(`${homepage}/issues`);
    expect(homepage).toMatch(/^https:\/\/github\.com\/[\w-]+\/[\w-]+$/);
  });
});

describe('relative links', () => {
  const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.startsWith('site/'))
    .map((path) => join('docs', path));

  it.each(['README.md', 'CONTRIBUTING.md', 'llms.txt', 'examples/README.md', ...pages])(
    'of %s lead to files, and to headings in them',
    (page) => {
      const broken = links(page).filter(({ to }) => !/^https?:/.test(to) && !leads(page, to));
      expect(broken).toEqual([]);
    },
  );
});

function leads(page: string, to: string): boolean {
  const [path = '', anchor] = to.split('#');
  const file = path === '' ? join(ROOT, page) : join(ROOT, dirname(page), path);
  if (!existsSync(file)) return false;
  return anchor === undefined || headings(readFileSync(file, 'utf8')).includes(anchor);
}

/** Returns the anchors that GitHub gives to headings. */
function headings(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
