import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startsPlot } from '../../src/commands/ci/margins.js';
import { htmlReport } from '../../src/report/html/html-report.js';
import { buildReport } from '../helpers/run-reports.js';

/** Debian's package; `.ci/run` installs it. */
const CHROMIUM = process.env['KPROBE_CHROMIUM'] ?? '/usr/bin/chromium';

const HOSTILE = `</script></pre><script>pwned=1</script><img src=x onerror="pwned=2">"' onmouseover=pwned=3 x=`;

const folder = mkdtempSync(join(tmpdir(), 'kprobe-browser-'));
const file = join(folder, 'report.html');
const url = pathToFileURL(file).href;
let browser: Browser;

beforeAll(async () => {
  const margin = { pod: 'default/web', name: 'app startup', words: 'startup took', path: 'spec' };
  const times = { seconds: 1, limit: 30, resolution: 1, now: [20, 21.5], before: [14] };
  const svg = startsPlot([{ ...margin, ...times }]);
  const checks = [
    { name: 'ready', kind: 'failed', text: `${HOSTILE} ${'x'.repeat(300)}` },
  ] as const;
  const result = { title: 'Starts', text: `${'startup '.repeat(30)}\n`, svg };
  writeFileSync(file, htmlReport(buildReport(HOSTILE, { checks, result })));
  browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox'],
    timeout: 150_000,
  });
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

interface Opened {
  readonly page: Page;
  /** Errors of the console and of scripts, dialogs, and requests for anything but the page. */
  readonly troubles: readonly string[];
}

async function open(fragment = '', options: BrowserContextOptions = {}): Promise<Opened> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(150_000);
  const troubles: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text());
  });
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('dialog', (dialog) => troubles.push(dialog.message()));
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) troubles.push(request.url());
  });
  await page.goto(`${url}${fragment}`);
  return { page, troubles };
}

const LANE = 'svg[data-rows="app.liveness"]';
const ROW = '#app\\.liveness\\.1';

describe('the HTML report in Chromium', () => {
  it('opens without an error, and shows hostile output as text', async () => {
    const { page, troubles } = await open();
    await page.mouse.move(300, 300);
    await page.evaluate(
      'for (const details of document.querySelectorAll("details")) details.open = true',
    );
    expect(await page.evaluate('typeof pwned')).toBe('undefined');
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('table.attempts').innerText()).toContain(HOSTILE);
    expect(troubles).toEqual([]);
  });

  it('allows no script but its own', async () => {
    const { page, troubles } = await open();
    await page.evaluate(
      '{ const s = document.createElement("script"); s.text = "pwned = 4"; document.body.append(s); }',
    );
    expect(await page.evaluate('typeof pwned')).toBe('undefined');
    await expect.poll(() => troubles.join()).toContain('Content Security Policy');
  });

  it('shows an attempt under the pointer, and opens its row at a click', async () => {
    const { page } = await open();
    await page.locator(LANE).hover();
    expect(await page.getByRole('status').innerText()).toMatch(
      /^app liveness attempt 1 at 1\.500 s, run 0: ✗ 503/,
    );
    expect(await page.locator(ROW).isVisible()).toBe(false);
    await page.locator(LANE).click();
    await page.locator(ROW).waitFor();
    expect(page.url()).toMatch(/#app\.liveness\.1$/);
  });

  it('opens the attempt that the address names', async () => {
    const { page } = await open('#app.liveness.1');
    await page.locator(ROW).waitFor();
    expect(await page.locator(ROW).getAttribute('class')).toContain('at');
  });

  it('is used with the keyboard', async () => {
    const { page } = await open();
    await page.locator(LANE).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('status').innerText()).toContain('attempt 1');
    await page.keyboard.press('Enter');
    await page.locator(ROW).waitFor();
  });

  it('zooms and goes back', async () => {
    const { page } = await open();
    const width = async (): Promise<number> =>
      (await page.locator('.inner').boundingBox())?.width ?? 0;
    const before = await width();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect(await width()).toBeCloseTo(2 * before, 0);
    await page.getByRole('button', { name: 'All' }).click();
    expect(await width()).toBeCloseTo(before, 0);
  });

  it('names its parts for screen readers', async () => {
    const { page } = await open();
    const lane = page.getByRole('img', { name: 'app liveness: 0 succeeded, 1 failed, 0 errored' });
    expect(await lane.count()).toBe(1);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(await page.getByRole('navigation', { name: 'default/web' }).count()).toBe(1);
  });

  it('can be read without JavaScript', async () => {
    const { page } = await open('', { javaScriptEnabled: false });
    expect(await page.locator('main').innerText()).toContain('app killed 1 ×');
    expect((await page.locator(`${LANE} path.fail`).boundingBox())?.height).toBeGreaterThan(5);
    expect(await page.getByRole('button').count()).toBe(0);
    await page.locator('summary').click();
    expect(await page.locator(ROW).isVisible()).toBe(true);
  });

  it('does not scroll sideways on a phone', async () => {
    const { page } = await open('', { viewport: { width: 400, height: 800 } });
    await page.evaluate(
      'for (const details of document.querySelectorAll("details")) details.open = true',
    );
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
  });

  it('is dark where the reader wants it, and light on paper without buttons', async () => {
    const { page } = await open('', { colorScheme: 'dark' });
    const background = async (): Promise<unknown> =>
      page.evaluate('getComputedStyle(document.body).backgroundColor');
    expect(await background()).toBe('rgb(13, 17, 23)');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await background()).toBe('rgb(255, 255, 255)');
    expect(await page.getByRole('button').count()).toBe(0);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
  });
});
