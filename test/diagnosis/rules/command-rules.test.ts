import { expect, it } from 'vitest';

import { attemptFault } from '../../../src/diagnosis/attempt-fault.js';
import { firstChange } from '../../../src/diagnosis/words.js';
import { newPodSummary } from '../../../src/trace/summary/fold.js';
import { buildAttempt } from '../../helpers/attempt.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

/** The change for a readiness command that fails after so many seconds, beside what the program has written. */
function changeOf(command: readonly string[], text: string, after: number, log = 'started') {
  const readinessProbe = { ...buildProbe({}), exec: { command } };
  const pod = buildPod({ spec: { containers: [buildContainer({ readinessProbe })] } });
  const [container] = newPodSummary('default/web', pod, 0).containers;
  const output = [{ t: 0, run: 0, stream: 'stdout', text: log } as const];
  const [probe] = container!.probes;
  const end = { result: 'failure', exitCode: 1, output: text, endedAt: after } as const;
  const view = { ...container!, runs: [{ run: 0, startedAt: 0 }], output };
  return firstChange(attemptFault({ container: view, probe: probe! }, buildAttempt(end))!);
}

const STAT = ['stat', '/ready'];
const NO_READY = "stat: cannot statx '/ready': No such file or directory\n";
const CAT = ['sh', '-c', 'cat /logs/api.log | grep -q Started'];
const NO_LOG = 'cat: /logs/api.log: No such file or directory\n';

it.each([
  ['of which the program may come to write', STAT, NO_READY, 5, undefined, undefined],
  [
    'that the program writes elsewhere',
    ...[STAT, NO_READY, 5, 'wrote /tmp/ready'],
    'Correct the path in readinessProbe.exec.command: the log names /tmp/ready',
  ],
  ['whose name a request has', STAT, NO_READY, 5, 'GET /api/ready 200', undefined],
  [
    'that is still not there',
    ...[CAT, NO_LOG, 60, undefined],
    'Let the program write /logs/api.log, or mount it, or correct its path in readinessProbe.exec.command',
  ],
  [
    'that is a script of its shell',
    ...[['sh', '/check.sh'], 'sh: 0: cannot open /check.sh: No such file or directory\n', 60],
    undefined,
    'Fix what the command checks, or correct readinessProbe.exec.command',
  ],
  [
    'that the command does not name',
    ...[['check'], 'check: /etc/check.conf: No such file or directory\n', 60, undefined],
    'Fix what the command checks, or correct readinessProbe.exec.command',
  ],
] as const)('a file %s', (_, command, text, after, log, change) => {
  expect(changeOf(command, text, after, log)).toBe(change);
});
