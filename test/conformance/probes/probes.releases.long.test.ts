import { describe, it } from 'vitest';

import { startCaseFile } from '../../helpers/servers/case-file.js';
import { AT_ONCE, expectAgreement, FILES, read } from './agreement.js';
import type { Expected } from './expected.js';
import { parseExpected } from './observe.js';
import { runAll } from './run-all.js';

/** What the other releases make of a gRPC case, where it isn't what 1.36 makes of it. */
interface ReleaseAnswer {
  readonly id: string;
  readonly releases: readonly string[];
  readonly result: string;
  /** Null where node:http2 rejects what grpc-go reads: trailers that don't end the stream. */
  readonly output: string | null;
}

const RELEASE_ANSWERS = read('grpc-releases.ndjson')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as ReleaseAnswer);

/** Returns what a release makes of the gRPC cases; when and with what request, only those of 1.36 tell. */
function expectedOf(release: string, lines: string): Map<string, Expected> {
  const answers = RELEASE_ANSWERS.filter(({ releases }) => releases.includes(release));
  const byID = new Map(answers.map((answer) => [answer.id, answer]));
  const cases = [...parseExpected(lines).values()].filter(({ handler }) => handler === 'grpc');
  return new Map(
    cases.map((expected) => {
      const answer = byID.get(expected.id);
      const { result, output } = { ...expected, ...answer };
      const told = answer ? { result, output, kubeletResult: result } : {};
      const unstable = [...(expected.unstable ?? []), 'request', 'attempts', 'elapsedClass'];
      if (answer) unstable.push('event');
      if (answer?.output === null) unstable.push('output');
      return [expected.id, { ...expected, ...told, unstable }];
    }),
  );
}

describe.each(['1.32', '1.33', '1.34', '1.35', '1.37'])('gRPC attempts of %s', (release) => {
  it.each(FILES)('make of %s what its kubelet makes of them', async (_, cases, lines) => {
    const expected = expectedOf(release, read(lines));
    const all = await startCaseFile(read(cases));
    const file = { ...all, cases: all.cases.filter(({ id }) => expected.has(id)) };
    const verdicts = await runAll(file, expected, AT_ONCE, release);
    await file.fleet.close();
    expectAgreement(`${cases}, ${release}`, verdicts);
  });
});
