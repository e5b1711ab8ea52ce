import { describe, expect, it } from 'vitest';

import { importDockerfile, isDockerfile } from '../../../src/manifest/import/dockerfile.js';
import { HEALTHCHECK_DEFAULTS } from '../../../src/manifest/import/healthcheck.js';

const read = (text: string) => importDockerfile({ file: 'Dockerfile', text }, 'web');
const CURL = ['CMD-SHELL', 'curl -f http://localhost/'];

describe('the HEALTHCHECK of a Dockerfile', () => {
  it.each([
    ['for the shell', 'FROM a\nHEALTHCHECK CMD curl -f http://localhost/\n', { test: CURL }],
    ['as JSON', 'FROM a\nhealthcheck cmd ["ok", "-q"]\n', { test: ['CMD', 'ok', '-q'] }],
    ['NONE', 'FROM a\nHEALTHCHECK NONE\n', { test: ['NONE'] }],
    [
      'with options, over several lines',
      'FROM a\nHEALTHCHECK --interval=5s --retries=2 \\\n  # slow\n  --start-period=1m \\\n CMD curl -f http://localhost/\n',
      { test: CURL, interval: 5000, retries: 2, startPeriod: 60_000 },
    ],
    [
      'of the last stage, from the stage that it begins with',
      'FROM a AS base\nHEALTHCHECK CMD ["ok"]\nFROM b AS build\nHEALTHCHECK NONE\nFROM base\n',
      { test: ['CMD', 'ok'] },
    ],
    [
      'for another shell',
      'FROM a\nSHELL ["/bin/bash", "-c"]\nHEALTHCHECK CMD ok && ok\n',
      { test: ['CMD', '/bin/bash', '-c', 'ok && ok'] },
    ],
    [
      'beside a here-document that has one as text',
      'FROM a\nHEALTHCHECK CMD ["ok"]\nRUN <<EOF\nHEALTHCHECK NONE\nEOF\n',
      { test: ['CMD', 'ok'] },
    ],
    [
      'with lines that end in CR LF',
      'FROM a\r\nHEALTHCHECK --retries=2 \\\r\n  CMD ["ok"]\r\n',
      { test: ['CMD', 'ok'], retries: 2 },
    ],
    [
      'with another escape character',
      '# escape=`\nFROM a\nHEALTHCHECK --retries=2 `\n  CMD ["ok"]\n',
      { test: ['CMD', 'ok'], retries: 2 },
    ],
  ])('%s is read', (_, text, healthcheck) => {
    const { containers, diagnostics } = read(text);
    expect(diagnostics).toEqual([]);
    expect(containers[0]?.healthcheck).toEqual({ ...HEALTHCHECK_DEFAULTS, ...healthcheck });
  });

  it('comes with the ports that the image exposes', () => {
    const [container] = read('FROM a\nEXPOSE 80 53/udp\nEXPOSE 80/tcp\n').containers;
    expect(container?.ports).toEqual([
      { containerPort: 80 },
      { containerPort: 53, protocol: 'UDP' },
    ]);
  });

  it.each([
    'HEALTHCHECK --often=1s CMD ok',
    'HEALTHCHECK --constructor=1s CMD ok',
    'HEALTHCHECK ok',
    'HEALTHCHECK --timeout=soon CMD ok',
  ])('that is not valid is an error: %s', (line) => {
    const { containers, diagnostics } = read(`FROM a\n${line}\n`);
    expect([containers, diagnostics.map((each) => each.line)]).toEqual([[], [2]]);
  });
});

it.each([
  ['app/Dockerfile', '', true],
  ['Dockerfile.dev', '', true],
  ['web.dockerfile', '', true],
  ['<stdin>', 'FROM node:20\n', true],
  ['compose.yaml', 'services: {}\n', false],
])('%s is a Dockerfile: %s%s', (file, text, expected) => {
  expect(isDockerfile({ file, text })).toBe(expected);
});
