import { expect, it } from 'vitest';

import { lint } from '../../src/lint/lint.js';

const POD = (top: string, probe: string, line: string): string => `${top}apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: app
    image: example.com/web
    startupProbe: {tcpSocket: {port: 8080}, failureThreshold: 30}
    ${probe}
    livenessProbe:
      tcpSocket:
        port: 8080
      failureThreshold: 1 ${line}
`;

async function rules(text: string): Promise<readonly (string | undefined)[]> {
  const [file] = await lint([{ file: 'pod.yaml', text }]);
  return file?.advice.map(({ rule, message }) => rule ?? message) ?? [];
}

const BOTH = ['latest-image', 'liveness-failure-threshold-one'];
const THRESHOLD = 'kprobe-ignore: liveness-failure-threshold-one';

it.each([
  ['nothing', '', '', '', BOTH],
  ['the line it ends', '', '', `# ${THRESHOLD}`, ['latest-image']],
  ['all of the field after it', '', `# ${THRESHOLD}`, '', ['latest-image']],
  ['all of the object after it', `# ${THRESHOLD}, latest-image\n`, '', '', []],
  ['rules that spaces part', `# ${THRESHOLD} latest-image\n`, '', '', []],
  ['no other rule', '# kprobe-ignore: late-ready\n', '', '', BOTH],
  ['no field beside it', '', '# kprobe-ignore: latest-image', '', BOTH],
])('a comment has %s ignored', async (_, top, probe, line, expected) => {
  expect(await rules(POD(top, probe, line))).toEqual(expected);
});

it('warns of a rule that does not exist', async () => {
  expect(await rules(POD('', '', '# kprobe-ignore: late-redy'))).toEqual([
    'latest-image',
    'liveness-failure-threshold-one',
    'kprobe-ignore: unknown rule late-redy',
  ]);
});
