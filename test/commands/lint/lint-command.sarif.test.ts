import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import { beforeAll, expect, it } from 'vitest';

import { inProcess } from '../../helpers/in-process.js';
import { ROOT } from '../../helpers/kprobe.js';

interface Run {
  readonly tool: {
    readonly driver: { readonly informationUri: string; readonly rules: readonly Rule[] };
  };
  readonly invocations: readonly [Invocation];
}

interface Rule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly helpUri: string;
}

interface Invocation {
  readonly executionSuccessful: boolean;
  readonly exitCode: number;
  readonly toolExecutionNotifications?: readonly { readonly message: { readonly text: string } }[];
}

const FILES = {
  'good.yaml': container('image: example.com/web:1.4'),
  'latest.yaml': container('image: example.com/web, ports: [{containerPort: 80}]'),
  'rejected.yaml': container('image: ""'),
  'tab.yaml': 'apiVersion: v1\nkind: Pod\nmetadata:\n\tname: web\n',
  'empty.yaml': '',
};

function container(fields: string): string {
  return `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - {name: app, ${fields}}\n`;
}

const schema = JSON.parse(
  readFileSync(join(ROOT, 'test/fixtures/sarif/sarif-2.1.0.schema.json'), 'utf8'),
) as object;
const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false });
const isSarif = ajv.compile(schema);

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kprobe-sarif-'));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
});

async function sarif(commandLine: string) {
  const end = await inProcess([...commandLine.split(' '), '-o', 'sarif'], { cwd: folder });
  const log = JSON.parse(end.stdout) as { readonly runs: readonly [Run] };
  return { end, log, run: log.runs[0] };
}

it.each([
  ['lint good.yaml', 0, undefined],
  ['lint latest.yaml rejected.yaml --fail-on warning', 1, undefined],
  ['lint tab.yaml good.yaml', 2, 'a tab is used for indentation'],
  ['lint missing.yaml latest.yaml', 2, 'missing.yaml: no such file or folder'],
  ['lint empty.yaml', 2, 'no objects in the input'],
  ['validate good.yaml', 0, undefined],
  ['validate rejected.yaml', 1, undefined],
  ['validate tab.yaml', 2, 'a tab is used for indentation'],
  ['validate missing.yaml good.yaml', 2, 'missing.yaml: no such file or folder'],
  ['validate empty.yaml', 2, 'no objects in the input'],
])('%s -o sarif is valid SARIF with exit code %i and its reason', async (line, code, reason) => {
  const { end, log, run } = await sarif(line);
  expect(isSarif(log) ? [] : isSarif.errors).toEqual([]);
  const [{ executionSuccessful, exitCode, toolExecutionNotifications = [] }] = run.invocations;
  expect({ executionSuccessful, exitCode, code: end.code }).toEqual({
    ...{ executionSuccessful: code < 2, exitCode: code, code },
  });
  expect(toolExecutionNotifications).toHaveLength(reason === undefined ? 0 : 1);
  expect(toolExecutionNotifications[0]?.message.text ?? '').toContain(reason ?? '');
});

it.each([
  ['junit', '<error message="missing.yaml: no such file or folder">'],
  ['github', '::error title=kprobe lint::missing.yaml: no such file or folder\n'],
])('-o %s reports a file that cannot be read', async (format, error) => {
  const line = ['lint', 'missing.yaml', 'good.yaml', '-o', format];
  const { code, stdout } = await inProcess(line, { cwd: folder });
  expect(code).toBe(2);
  expect(stdout).toContain(error);
});

it('SARIF rules have a title and a page in the repository', async () => {
  const { run } = await sarif('lint latest.yaml rejected.yaml tab.yaml');
  const { informationUri, rules } = run.tool.driver;
  expect(informationUri).toBe('https://github.com/kprobe/kprobe');
  expect(rules.find(({ id }) => id === 'latest-image')).toMatchObject({
    shortDescription: { text: 'A restart may run another image.' },
    helpUri: 'https://github.com/kprobe/kprobe/blob/main/docs/rules/latest-image.md',
  });
  expect(rules.map(({ id }) => id)).toEqual(expect.arrayContaining(['syntax', 'required']));
  const pages = `${informationUri}/blob/main/`;
  for (const { helpUri } of rules) expect(helpUri).toSatisfy(isPage(pages));
});

/** Returns a matcher for addresses of existing pages and anchors in this repository. */
const isPage = (base: string) => (address: string) => {
  const [path = '', anchor] = address.slice(base.length).split('#');
  if (!address.startsWith(base) || !existsSync(join(ROOT, path))) return false;
  const headings = [...readFileSync(join(ROOT, path), 'utf8').matchAll(/^#+ (.+)$/gm)];
  const anchors = headings.map(([, text = '']) => text.toLowerCase().replaceAll(' ', '-'));
  return anchor === undefined || anchors.includes(anchor);
};
