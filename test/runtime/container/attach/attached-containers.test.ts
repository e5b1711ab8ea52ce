import { PassThrough } from 'node:stream';

import { expect, it } from 'vitest';

import { VirtualClock } from '../../../../src/clock/virtual-clock.js';
import { AttachedContainers } from '../../../../src/runtime/container/attach/attached-containers.js';
import type { Engine, EngineEvent } from '../../../../src/runtime/container/engine.js';
import { ENGINE_KINDS } from '../../../../src/runtime/container/engine-kind.js';
import { parseInspect } from '../../../../src/runtime/container/inspect.js';
import { buildContainer, buildPod } from '../../../helpers/builders.js';

const PAUSED = 'web was paused: its processes stand still until it is unpaused';
const UNPAUSED = 'web was unpaused';

/**
 * An attached container whose engine reports only the events that the test sends. `since` is when the container was
 * started, in milliseconds from now.
 */
async function attach(since = 0) {
  const clock = new VirtualClock();
  const startedAt = new Date(clock.now() + since).toISOString();
  const engineState = { status: 'running' };
  const messages: string[] = [];
  let send: (event: EngineEvent) => void = () => undefined;
  const stream = { stop: () => undefined, ended: new Promise<void>(() => undefined) };
  const engine = {
    kind: ENGINE_KINDS.docker,
    inspect: (names: readonly string[]) => {
      const State = { Status: engineState.status, StartedAt: startedAt, ExitCode: 137 };
      const described = { Id: 'abc', Name: '/web', State };
      return Promise.resolve(names.length === 0 ? [] : parseInspect(JSON.stringify([described])));
    },
    events: (_: unknown, onEvent: typeof send) => {
      send = onEvent;
      return stream;
    },
    logs: () => {
      const [stdout, stderr] = [new PassThrough(), new PassThrough()];
      return { stop: () => undefined, ended: Promise.resolve(), stdout, stderr };
    },
  } as unknown as Engine;
  const pod = buildPod({ spec: { containers: [buildContainer({ name: 'app' })] } });
  const containers = new AttachedContainers({
    engine,
    clock,
    execs: undefined as never,
    restarts: false,
    choices: [{ podUID: pod.metadata.uid, container: 'app', name: 'web' }],
    onClose: () => undefined,
  });
  const listener = { onMessage: (_: string, text: string) => messages.push(text) };
  containers.follow(listener as never, () => Promise.resolve());
  await containers.refresh();
  const see = async (status: string): Promise<void> => {
    engineState.status = status;
    await clock.advance(1000);
    await containers.refresh();
  };
  const container = containers.find(pod, buildContainer({ name: 'app' }));
  return {
    ...{ clock, container, messages, see },
    send: (action: string, more: Partial<EngineEvent> = {}) => send({ id: 'abc', action, ...more }),
  };
}

it.each<[string, readonly [string, Partial<EngineEvent>][], string | undefined]>([
  ['that its engine sent', [['kill', { signal: 9 }]], 'docker'],
  ['that its engine did not send', [['kill', { signal: 15 }]], undefined],
  [
    'that its engine sent to an earlier run',
    [
      ['kill', { signal: 9 }],
      ['start', {}],
    ],
    undefined,
  ],
])('the end by a signal %s is told with %j as from %s', async (_, events, sentBy) => {
  const { container, see, send } = await attach();
  const run = await container!.launch();
  for (const [action, more] of events) send(action, more);
  await see('exited');
  expect((await run.ended).sentBy).toBe(sentBy);
});

it.each([
  ['58 s ago', -58_000, -58_000],
  ['by an engine whose clock is ahead', 9_000, 0],
])(
  'a container that was started %s has begun then, and its simulated restart now',
  async (_, since, begun) => {
    const { clock, container } = await attach(since);
    expect(container?.startedAt).toBe(clock.now() + begun);
    await container?.launch();
    expect(container?.startedAt).toBeUndefined();
  },
);

it('a pause that no event reports is seen by the next inspection', async () => {
  const { messages, see } = await attach();
  await see('paused');
  await see('paused');
  await see('running');
  expect(messages).toEqual([PAUSED, UNPAUSED]);
});

it('a pause that an event has reported is reported once', async () => {
  const { messages, see, send } = await attach();
  send('pause');
  await see('paused');
  send('unpause');
  await see('running');
  expect(messages).toEqual([PAUSED, UNPAUSED]);
});

it('a paused container that was killed is not said to be unpaused', async () => {
  const { messages, see } = await attach();
  for (const status of ['paused', 'exited', 'running']) await see(status);
  expect(messages).toEqual([PAUSED]);
});
