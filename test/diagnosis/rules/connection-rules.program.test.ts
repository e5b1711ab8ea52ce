import { expect, it } from 'vitest';

import type { EnvVar } from '../../../src/api/index.js';
import { attemptFault } from '../../../src/diagnosis/attempt-fault.js';
import { findingText } from '../../../src/diagnosis/words.js';
import type { ListeningView } from '../../../src/trace/summary/container-view.js';
import { newPodSummary } from '../../../src/trace/summary/fold.js';
import { buildAttempt } from '../../helpers/attempt.js';
import { buildContainer, buildPod, buildProbe } from '../../helpers/builders.js';

/** The text of an attempt at port 8080 that is refused 9 s after the program's start. */
function textOf(seen: Partial<ListeningView>, output: readonly string[] = [], env: EnvVar[] = []) {
  const { exec: _, ...settings } = buildProbe({});
  const readinessProbe = { ...settings, httpGet: { path: '/', port: 8080 } };
  const pod = buildPod({ spec: { containers: [buildContainer({ readinessProbe, env })] } });
  const [container] = newPodSummary('default/web', pod, 0).containers;
  const [probe] = container!.probes;
  const listening = { t: 1, started: true, sockets: [], processes: [], ...seen };
  const runs = [{ run: 0, startedAt: 0, listening }];
  const lines = output.map((text) => ({ t: 0, run: 0, stream: 'stdout', text }) as const);
  const attempt = buildAttempt({ result: 'failure', reason: 'refused', endedAt: 9 });
  return findingText(
    attemptFault({ container: { ...container!, runs, output: lines }, probe: probe! }, attempt),
  );
}

const sockets = [{ address: '0.0.0.0', port: 5005 }];
const DEBUGGER = 'Listening for transport dt_socket at address: 5005';
const agent = (suspend: string) =>
  `java -agentlib:jdwp=transport=dt_socket,server=y,suspend=${suspend},address=*:5005 App`;

it.each([
  [[agent('y')], [DEBUGGER], true],
  [[agent('n')], [DEBUGGER], false],
  [[agent('y')], ['Web server on port 5005'], false],
  [['node --inspect-brk=5005 app.js'], ['Debugger listening on ws://127.0.0.1:5005/x'], true],
  [['node --inspect-brk=9229 app.js'], ['Listening on port 5005'], false],
  [['python3 app.py'], ['Debugger listening on :5005. Waiting for client to attach...'], true],
])('%j that writes %j waits for a debugger: %s', (processes, output, isSo) => {
  const text = textOf({ sockets, processes }, output);
  expect(text?.includes('without waiting for a debugger')).toBe(isSo);
});

it.each([
  ['tail -f /dev/null', 'Run the server in place of tail -f /dev/null, which does nothing'],
  ['/bin/sleep infinity', 'Run the server in place of /bin/sleep infinity, which does nothing'],
  ['flock /run/app.lock node app.js', 'End what holds the lock, or remove the lock if an earlier'],
  ['tail -f /var/log/app.log', undefined],
])('a container that runs %s has the advice: %s', (command, advice) => {
  const text = textOf({ processes: [`sh -c ${command}`, command] });
  expect(text?.split('. ')[1]?.slice(0, advice?.length)).toBe(advice);
});

it.each([
  ['"8080"', 'Correct the variable PORT in env'],
  ['8080', 'Let the program listen on port 8080'],
])('a program on the socket "8080", with PORT=%s, has the advice: %s', (value, advice) => {
  const text = textOf({ unix: ['"8080"'] }, [], [{ name: 'PORT', value }]);
  expect(text).toContain(advice);
});
