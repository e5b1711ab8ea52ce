import { expect, it } from 'vitest';

import { lint } from '../../helpers/lint.js';

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
  ['no rule', '', '', '', BOTH],
  ['the rule on its own line', '', '', `# ${THRESHOLD}`, ['latest-image']],
  ['the rule in the whole next field', '', `# ${THRESHOLD}`, '', ['latest-image']],
  ['the rules in the whole next object', `# ${THRESHOLD}, latest-image\n`, '', '', []],
  ['rules separated by spaces', `# ${THRESHOLD} latest-image\n`, '', '', []],
  ['no other rule than the named one', '# kprobe-ignore: late-ready\n', '', '', BOTH],
  ['no rule in another field', '', '# kprobe-ignore: latest-image', '', BOTH],
])('a kprobe-ignore comment can ignore %s', async (_, top, probe, line, expected) => {
  expect(await rules(POD(top, probe, line))).toEqual(expected);
});

it('an unknown rule in a kprobe-ignore comment is reported', async () => {
  expect(await rules(POD('', '', '# kprobe-ignore: late-redy'))).toEqual([
    'latest-image',
    'liveness-failure-threshold-one',
    'kprobe-ignore: unknown rule late-redy',
  ]);
});
