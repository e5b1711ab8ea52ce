import { backOffSpan } from '../schedule/restarts.js';
import {
  type ContainerForecast,
  forecastContainer,
  forecastProbe,
  graceOfKill,
  type PendingResult,
  type Restart,
  restartAfterKill,
} from '../trace/forecast.js';
import {
  type ContainerView,
  crashDelay,
  currentRun,
  stopSignal,
} from '../trace/summary/container-view.js';
import type { ProbeView } from '../trace/summary/probe-view.js';
import type { PodSummary } from '../trace/summary/summary.js';
import { type NextStart, type NextStep, ORDER, type Outlook, type Span } from './next-step.js';
import { startFailure } from './start-fault.js';

/** Reports whether a container's restarts are only simulated. */
export type IsSimulated = (pod: string, container: string) => boolean;

/** Returns the kubelet's next actions, the most urgent first. */
export function outlooks(pod: PodSummary, now: number, isSimulated: IsSimulated): Outlook[] {
  return pod.containers
    .flatMap((container) => {
      const simulated = isSimulated(pod.key, container.name);
      return [
        ...containerOutlook(pod, container, now),
        ...container.probes.flatMap((probe) => probeOutlook(pod, container, probe, now, simulated)),
      ];
    })
    .sort((a, b) => ORDER.indexOf(a.urgency) - ORDER.indexOf(b.urgency) || needed(a) - needed(b));
}

/** Returns a function that finds the most urgent next action for a container or one of its probes. */
export function nextSteps(...of: Parameters<typeof outlooks>) {
  const key = (...parts: readonly (string | undefined)[]): string => parts.join(' ');
  const steps = new Map<string, Outlook>();
  for (const each of outlooks(...of).reverse()) steps.set(key(each.container, each.probe), each);
  return (container?: string, probe?: string): Outlook | undefined =>
    steps.get(key(container, probe));
}

function needed({ step }: Outlook): number {
  return step.kind === 'turn' ? Math.min(9, step.needed) : 0;
}

function containerOutlook(pod: PodSummary, container: ContainerView, now: number): Outlook[] {
  const forecast = forecastContainer(pod, container);
  const step = retryStep(pod, container) ?? containerStep(pod, container, forecast, now);
  if (step === undefined) return [];
  const isCalm = forecast.kind === 'waiting' || forecast.kind === 'running';
  const { name } = container;
  return [
    { container: name, step, tone: isCalm ? 'plain' : 'bad', urgency: isCalm ? 'calm' : 'ending' },
  ];
}

/** A container that could not be created has no back-off of its own. */
function retryStep(pod: PodSummary, container: ContainerView): NextStep | undefined {
  // The kubelet has created a container whose start failed: its back-off is that of a crash.
  if (container.runs.at(-1)?.startError !== undefined) return undefined;
  if (container.state.kind !== 'waiting' || container.backOff !== undefined) return undefined;
  if (startFailure(pod, container) === undefined) return undefined;
  return { kind: 'retryStart', pulls: pullsAgain(container.state.reason) };
}

/** Reports whether the kubelet has a back-off for pulling; without a pull it tries again with each sync. */
export function pullsAgain(reason: string): boolean {
  return reason === 'ErrImagePull' || reason === 'ImagePullBackOff';
}

function containerStep(
  pod: PodSummary,
  container: ContainerView,
  forecast: ContainerForecast,
  now: number,
): NextStep | undefined {
  switch (forecast.kind) {
    case 'waiting':
      return forecast.for === undefined ? undefined : { kind: 'waitsFor', container: forecast.for };
    case 'running':
      return forecast.hook === undefined
        ? nextBackOff(pod, container, now)
        : { kind: 'hook', hook: forecast.hook };
    case 'preStop':
      return { kind: 'preStop', signal: stopSignal(container) };
    case 'stopping': {
      const { killAt, restart } = forecast;
      const start = nextStart(pod, restart, now);
      return { kind: 'stopping', signal: stopSignal(container), killIn: killAt - now, start };
    }
    case 'ended':
      return { kind: 'ended', start: nextStart(pod, forecast.restart, now) };
    case 'backOff':
      return { kind: 'backOff', delay: forecast.delay, in: startSpan(pod, forecast, now) };
    case 'done':
      return undefined;
  }
}

/** Restarted containers wait longer the next time. */
function nextBackOff(
  pod: PodSummary,
  { crashLoop }: ContainerView,
  now: number,
): NextStep | undefined {
  const delay = crashDelay(crashLoop, now);
  if (delay === 0) return undefined;
  return { kind: 'ifEnded', delay, in: startSpan(pod, { until: now + delay, delay }, now) };
}

function nextStart(pod: PodSummary, restart: Restart, now: number): NextStart {
  if (restart.kind !== 'after') return restart;
  const { delay, at: until } = restart;
  return { kind: 'after', delay, in: startSpan(pod, { until, delay }, now) };
}

/** Returns the earliest and latest start: the kubelet syncs some time after the end of a back-off. */
export function startSpan(
  { behavior }: Pick<PodSummary, 'behavior'>,
  { until, delay }: { readonly until: number; readonly delay: number },
  now: number,
): Span {
  return { from: until - now, to: until - delay + backOffSpan(delay, behavior).to - now };
}

function probeOutlook(
  pod: PodSummary,
  container: ContainerView,
  probe: ProbeView,
  now: number,
  simulated: boolean,
): Outlook[] {
  const subject = { container: container.name, probe: probe.type };
  const forecast = forecastProbe(container, probe, now);
  if (hasErrored(container, probe)) {
    // Errors meet no threshold, however many there are.
    const step: NextStep = { kind: 'errors', stands: forecast.current };
    return [{ ...subject, step, tone: 'warn', urgency: 'errors' }];
  }
  return forecast.pending.flatMap((turn): Outlook[] => {
    if (turn.earliest === undefined) return [];
    const begun = turn.needed < turn.threshold;
    const step: NextStep = {
      kind: 'turn',
      to: turn.to,
      needed: turn.needed,
      begun,
      in: {
        from: turn.earliest - now,
        to: turn.latest === undefined ? undefined : turn.latest - now,
      },
      kill: killStep(pod, container, probe, turn, simulated),
    };
    const tone = turn.to === 'failure' ? (begun ? 'bad' : 'dim') : 'plain';
    return [{ ...subject, step, tone, urgency: turnUrgency(probe, turn, begun) }];
  });
}

function hasErrored(container: ContainerView, { attempts }: ProbeView): boolean {
  const last = attempts.at(-1);
  return last?.error !== undefined && last.run === currentRun(container)?.run;
}

function killStep(
  pod: PodSummary,
  container: ContainerView,
  { type }: ProbeView,
  { to, earliest = 0 }: PendingResult,
  simulated: boolean,
): Extract<NextStep, { kind: 'turn' }>['kill'] {
  if (type === 'readiness' || to === 'success') return undefined;
  const restart = restartAfterKill(pod.object, container, earliest);
  return {
    simulated,
    signal: stopSignal(container),
    grace: graceOfKill(pod.object, container, type),
    start: nextStart(pod, restart, earliest),
  };
}

/** A restart that is near goes before readiness, and that before what would take several failures. */
function turnUrgency(
  { type }: ProbeView,
  { to }: PendingResult,
  begun: boolean,
): Outlook['urgency'] {
  if (to === 'success') return 'success';
  if (!begun) return 'later';
  return type === 'readiness' ? 'notReady' : 'kill';
}
