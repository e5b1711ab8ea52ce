import { expect, it } from 'vitest';

import type { Container } from '../../src/api/index.js';
import { endFault } from '../../src/diagnosis/run-fault.js';
import { findingText } from '../../src/diagnosis/words.js';
import type { RunView } from '../../src/trace/summary/container-view.js';
import { newPodSummary } from '../../src/trace/summary/fold.js';
import { buildContainer, buildPod, buildProbe } from '../helpers/builders.js';

function textOf(
  end: Partial<RunView>,
  output: readonly string[],
  spec: Partial<Container> = {},
  before?: Partial<RunView>,
) {
  const object = buildPod({ spec: { containers: [buildContainer(spec)] } });
  const pod = newPodSummary('default/web', object, 0);
  const run = { run: 0, startedAt: 0, endedAt: 1, ...end } as RunView;
  const lines = output.map((text, t) => ({ t, run: run.run, stream: 'stderr', text }) as const);
  const runs = before === undefined ? [run] : [{ ...run, ...before, run: 0 } as RunView, run];
  const container = { ...pod.containers[0]!, runs, output: lines };
  return findingText(endFault({ ...pod, containers: [container] }, container, run));
}

it.each([
  [129, 'HUP', 'Let the program handle HUP, or see what sends it'],
  [138, 'USR1', 'Let the program handle USR1, or see what sends it'],
  [134, 'ABRT', 'Fix the program'],
])('exit code %i is the signal %s, with advice', (exitCode, signal, advice) => {
  const text = textOf({ exitCode }, []);
  expect(text).toContain(`the signal ${signal} ended it`);
  expect(text).toContain(advice);
});

const COROUTINE = "/srv/app.py:9: RuntimeWarning: coroutine 'main' was never awaited";
const CRASH = [
  '/srv/app.js:2',
  'x',
  'Error: no license',
  '    at /srv/app.js:2:7',
  '',
  'Node.js v20.1.0',
];

it.each([
  [[COROUTINE, '  main()'], "coroutine 'main' was never awaited (app.py:9)"],
  [CRASH, 'Error: no license (app.js:2)'],
  [['java.lang.OutOfMemoryError: Java heap space', '\tat app.Main'], 'it ran out of memory'],
  [
    ['Started', 'CRITICAL: Error 111 connecting to 10.0.0.9:6379'],
    'Error 111 connecting to 10.0.0.9',
  ],
  [['ERROR: cannot warm the cache', 'Done'], 'its command ended with success'],
  [['Server closed'], 'its command ended with success'],
  [[...CRASH, 'skipped, continuing without it'], 'its command ended with success'],
])('an end with 0 after %j is one of: %s', (output, text) => {
  expect(textOf({ exitCode: 0 }, output)).toContain(text);
});

it('a server whose probe waits is not told to be a Job', () => {
  const readinessProbe = buildProbe({});
  expect(textOf({ exitCode: 0 }, [], { readinessProbe })).toMatch(
    /\. Run a command that does not end: a probe waits for its server$/,
  );
  expect(textOf({ exitCode: 0 }, [])).toMatch(/or make it a Job$/);
});

it.each(['Press Enter to stop ...', 'Hit any key to quit'])(
  'a server that ends with 0 after %j reads its input',
  (line) => {
    expect(textOf({ exitCode: 0 }, [line])).toMatch(
      /\. Set stdin and tty to true, or let it not read/,
    );
    expect(textOf({ exitCode: 0 }, [line], { stdin: true })).toMatch(/or make it a Job$/);
  },
);

it.each([
  [
    -3,
    'KILL ended it before this watch, from the kubelet (after a failed probe) or something else',
  ],
  [3, 'something other than the kubelet sent KILL'],
])('a probed container of a cluster that KILL ended at %i s: %s', (endedAt, text) => {
  const end = { exitCode: 137, evidence: 'seen', endedAt } as const;
  expect(textOf(end, [], { livenessProbe: buildProbe({}) })).toContain(text);
  expect(textOf(end, [])).toContain('something other than the kubelet sent KILL');
});

it('what a start has left that liveness ended is to be removed, and the next one needs time', () => {
  const error = 'initdb: error: directory "/d" exists but is not empty';
  const before = { killReason: 'LivenessProbe' };
  const cure =
    /by hand what its first start has left, which liveness ended, and add a startupProbe$/;
  expect(textOf({ exitCode: 1, run: 1 }, [error], {}, before)).toMatch(cure);
  expect(textOf({ exitCode: 1, run: 1 }, [error], {}, {})).toContain('lost+found');
  const startupProbe = buildProbe({});
  expect(textOf({ exitCode: 1, run: 1 }, [error], { startupProbe }, before)).toContain(
    'lost+found',
  );
});

it('a file of a process that liveness ended is to be removed by the command', () => {
  const before = { killReason: 'LivenessProbe' };
  expect(textOf({ exitCode: 1, run: 1 }, ['app.pid exists'], {}, before)).toMatch(
    /Let its command remove what an earlier run has left on the volume$/,
  );
});

it('a container that a user starts again may have been stopped by one', () => {
  expect(textOf({ exitCode: 0, restartedBy: 'user' }, [])).toContain(
    'Start it again if somebody has stopped it, or find out why it ends',
  );
});

it.each([
  [8080, "Give one of the program's servers another port: it listens on port 8080 already"],
  [9090, 'Free port 8080, or let the program listen on another one'],
])('a taken port of a program that listens on %i has the advice: %s', (port, advice) => {
  const sockets = [{ address: '0.0.0.0', port }];
  const listening = { t: 0.5, started: true, sockets, processes: ['app'] };
  const error = 'listen tcp :8080: bind: address already in use';
  expect(textOf({ exitCode: 1, listening }, [error])).toContain(advice);
});

it('a script that its shell may not run is to be made executable, and needs no other user', () => {
  const output = ['sh: /tmp/entrypoint.sh: Permission denied'];
  expect(textOf({ exitCode: 126 }, output)).toContain('Make the program executable');
  expect(textOf({ exitCode: 1 }, output)).toContain('Give its user access');
});

it("a script of which a cluster's log has no line is to say why it ends", () => {
  const script = { command: ['sh', '-c', 'exit 1'] };
  const end = { exitCode: 1, evidence: 'seen', wroteNothing: true } as const;
  expect(textOf(end, [], script)).toMatch(/^kprobe saw no output of it\. Let it write why it ends/);
});

it('a file that a program may not create needs access', () => {
  const output = [
    "sh: can't create paper.jar: Permission denied",
    'Unable to access jarfile paper.jar',
  ];
  expect(textOf({ exitCode: 1 }, output)).toMatch(
    /paper\.jar: Permission denied\. Give its user access/,
  );
});

it('an end that nobody has seen is blamed on no signal', () => {
  expect(textOf({ exitCode: 137 }, [])).toContain('sent KILL');
  expect(textOf({ exitCode: 137, isLost: true }, [])).toBeUndefined();
});

it.each([
  [undefined, 'Error: connect ECONNREFUSED 127.0.0.1:9411', 'Add a startupProbe to agent'],
  [undefined, 'Error: connect ECONNREFUSED 10.0.0.7:9411', 'Start what it connects to'],
  [buildProbe({}), 'Error: connect ECONNREFUSED 127.0.0.1:9411', 'Start what it connects to'],
])('a sidecar with the startup probe %j that %s is about: %s', (startupProbe, error, advice) => {
  const agent = buildContainer({
    ...{ name: 'agent', restartPolicy: 'Always' },
    ...(startupProbe && { startupProbe }),
  });
  const spec = { initContainers: [agent], containers: [buildContainer({})] };
  const pod = newPodSummary('default/web', buildPod({ spec }), 0);
  const run = { run: 0, startedAt: 0 };
  const end = { ...run, endedAt: 1, exitCode: 1 };
  const output = [{ t: 0, run: 0, stream: 'stderr', text: error }] as const;
  const containers = pod.containers.map((each) =>
    each.role === 'sidecar' ? { ...each, runs: [run] } : { ...each, runs: [end], output },
  );
  const app = containers.find(({ role }) => role === 'container')!;
  expect(findingText(endFault({ ...pod, containers }, app, end))).toContain(advice);
});

it.each([
  [
    1,
    'KILL ended it, perhaps from the system: its limit of CPU time is 1 s (ulimit -t). Raise that',
  ],
  [2, 'something other than the kubelet sent KILL'],
])('KILL after 1.5 s, with a limit of %i s of CPU time: %s', (cpuSeconds, text) => {
  const listening = { t: 1, started: true, sockets: [], processes: [], cpuSeconds };
  expect(textOf({ signal: 'SIGKILL', endedAt: 1.5, listening }, [])).toContain(text);
});

const OF_JOB = '[job 12] java.lang.OutOfMemoryError: Java heap space';

it.each([
  [[OF_JOB, 'settings.json: required key "queue" is missing'], 'required key "queue" is missing'],
  [[OF_JOB, '[job 12] failed'], 'it ran out of memory'],
])(
  'an error of a job, whose output the program repeats, is no cause of its end: %j',
  (output, text) => {
    expect(textOf({ exitCode: 3 }, output)).toContain(text);
  },
);
