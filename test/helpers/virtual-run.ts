import type { Container, Pod } from '../../src/api/index.js';
import { VirtualClock } from '../../src/clock/virtual-clock.js';
import type { ProbeOutcome } from '../../src/kubelet/ports.js';
import { Session } from '../../src/session/session.js';
import { buildPod, buildProbe } from './builders.js';
import { fakeTransports } from './fake-transports.js';
import { ListenedRuntime } from './listened-runtime.js';

/** What the containers of a pod do. */
export interface PodScript {
  readonly spec?: Partial<Pod['spec']>;
  /** Returns true at a time in seconds at which probes of a path fail. */
  readonly fails?: (path: string, t: number) => boolean;
  /** Seconds after its start at which each run exits; later runs do as the last. */
  readonly lives?: readonly number[];
  /** Of each run; later runs do as the last. */
  readonly exitCodes?: readonly number[];
}

/** Makes a session in virtual time; its pod is added with `start`. */
export function virtualRun(container: Partial<Container>, script: PodScript) {
  const { spec, fails = () => false, lives = [], exitCodes = [3] } = script;
  const clock = new VirtualClock();
  const origin = clock.now();
  const runtime = new ListenedRuntime(clock);
  const http = (_: unknown, { url }: { url: { path: string } }): Promise<ProbeOutcome> => {
    const failure = { result: 'failure', output: 'failed' } as const;
    const isFailure = fails(url.path, (clock.now() - origin) / 1000);
    return Promise.resolve(isFailure ? failure : { result: 'success', output: '' });
  };
  const session = new Session({
    ...{ clock, hostIP: '127.0.0.1', kubeletAge: 3_600_000, kubelet: { version: '1.36' } },
    createRuntime(listener) {
      runtime.listener = listener;
      return runtime;
    },
    transports: { ...fakeTransports().transports, http },
  });
  session.onLine((line) => {
    if (line.kind !== 'started') return;
    const life = lives[line.run] ?? lives.at(-1);
    if (life === undefined) return;
    const exitCode = exitCodes[line.run] ?? exitCodes.at(-1) ?? 0;
    clock.setTimeout(() => runtime.exit(`app-${line.run + 1}`, exitCode), life * 1000);
  });
  const containers = [{ name: 'app', image: 'app:1', ...container }];
  const start = (): void => session.start([buildPod({ spec: { containers, ...spec } })]);
  return { clock, session, runtime, start };
}

/** Lets virtual time pass until a promise is settled. */
export async function settledIn<T>(clock: VirtualClock, waiting: Promise<T>): Promise<T> {
  let end: { readonly value: T } | undefined;
  void waiting.then((value) => (end = { value }));
  while (end === undefined) await clock.advance(100);
  return end.value;
}

/** An HTTP probe of a path. */
export function httpProbe(path: string, settings: Parameters<typeof buildProbe>[0] = {}) {
  const { exec: _, ...others } = buildProbe(settings);
  return { ...others, httpGet: { path, port: 80 } };
}
