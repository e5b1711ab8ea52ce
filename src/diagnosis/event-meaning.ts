import type { Container, Pod, Probe } from '../api/index.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import { newPodSummary } from '../trace/summary/fold.js';
import { attemptCause } from './attempt-cause.js';
import { type EventMeaning, podEvent } from './pod-event.js';
import { parseProbeMessage, type ProbeMessage, reportedOutcome } from './probe-message.js';

/** Returns what an event means, from its text as `kubectl describe pod` prints it; undefined for a text of no event known. */
export function eventMeaning(
  text: string,
  containers: readonly Container[],
): EventMeaning | undefined {
  const at = text.search(/(?:Startup|Readiness|Liveness) probe (?:failed|warning|errored)\b/);
  const message = at === -1 ? undefined : parseProbeMessage(text.slice(at));
  return message === undefined ? podEvent(text) : probeMeaning(message, containers);
}

function probeMeaning(message: ProbeMessage, containers: readonly Container[]): EventMeaning {
  const { probe, how, output } = message;
  const known = containers.find((each) => probeOf(each, probe) !== undefined);
  const spec = (known && probeOf(known, probe)) ?? probeOfOutput(output);
  const container = known ?? { name: 'app', image: '', [`${probe}Probe`]: spec };
  const pod = { metadata: {}, spec: { containers: [container] } } as unknown as Pod;
  const [view] = newPodSummary('', pod, 0).containers;
  const probeView = view?.probes.find(({ type }) => type === probe);
  const outcome = reportedOutcome(message, spec);
  const attempt = { ...outcome, run: 0, latency: 0, evidence: 'seen' as const };
  const cause = view && probeView && attemptCause({ container: view, probe: probeView }, attempt);
  const why = cause?.why || outputCause(message, spec);
  return {
    reason: how === 'warning' ? 'ProbeWarning' : 'Unhealthy',
    meaning: MEANINGS[how](probe),
    cause: known === undefined ? withoutTimeout(why, output) : why,
    change: known === undefined ? cause?.change?.replace(' above 1,', ',') : cause?.change,
    next: how === 'failed' ? failureNext(probe, spec, known !== undefined) : undefined,
  };
}

const MEANINGS: Readonly<Record<ProbeMessage['how'], (probe: string) => string>> = {
  failed: (probe) => `An attempt of the ${probe} probe failed.`,
  warning: (probe) =>
    `An attempt of the ${probe} probe succeeded, with a warning: it counts as a success.`,
  errored: (probe) => `An attempt of the ${probe} probe could not be made: errors don't count.`,
};

/** The meaning of the text itself, where no rule knows more. */
function outputCause({ output }: ProbeMessage, { exec }: Probe): string {
  const status = /^HTTP probe failed with statuscode: (\d+)/.exec(output)?.[1];
  if (status !== undefined)
    return `the server answered with status ${status}; 200 to 399 are successes`;
  const said = output.trim();
  if (exec === undefined) return said;
  return said === ''
    ? 'the command ended with an exit code other than 0, and printed nothing'
    : `the command ended with an exit code other than 0, and printed: ${said}`;
}

/** The kubelet's text of a slow HTTP or TCP attempt leaves out the timeout. */
function withoutTimeout(why: string, output: string): string {
  return timeoutIn(output) === undefined
    ? why.replace('the timeout of 1 s', 'timeoutSeconds (1 by default)')
    : why;
}

function timeoutIn(output: string): number | undefined {
  const seconds = /(?:timed out after|within) "?([\d.]+)s/.exec(output)?.[1];
  return seconds === undefined ? undefined : Number(seconds);
}

/** The probe that a text is about, as far as the text describes it. */
function probeOfOutput(output: string): Probe {
  const timeoutSeconds = timeoutIn(output) ?? 1;
  return { ...handlerOf(output), timeoutSeconds } as Probe;
}

function handlerOf(output: string): Partial<Probe> {
  const url = /\b(?:Get|Head) "(https?:\/\/[^"]+)"/.exec(output)?.[1];
  if (url !== undefined && URL.canParse(url)) {
    const { protocol, port, pathname } = new URL(url);
    const scheme = protocol === 'https:' ? 'HTTPS' : 'HTTP';
    return { httpGet: { path: pathname, port: Number(port), scheme } };
  }
  if (/^HTTP probe|^Probe terminated redirects/.test(output)) {
    return { httpGet: { path: "the probe's path", port: 0, scheme: 'HTTP' } };
  }
  if (/grpc|health rpc|failed to connect service|service unhealthy/i.test(output)) {
    const service = output.includes('NotFound') ? 'that the probe names' : '';
    const port = Number(/"\S*:(\d+)"/.exec(output)?.[1]);
    return { grpc: { port, service } };
  }
  const address = /^dial tcp \S*:(\d+)/.exec(output)?.[1];
  if (address !== undefined) return { tcpSocket: { port: Number(address) } };
  const command = /exec: \\?"([^"\\]+)/.exec(output)?.[1] ?? 'the command';
  return { exec: { command: [command] } };
}

const RESULTS = {
  startup:
    'the kubelet kills the container and restarts it; readiness and liveness probes wait until the startup probe has succeeded',
  readiness:
    'the container is not ready, and Services send the pod no traffic; it is not restarted',
  liveness: 'the kubelet kills the container and restarts it',
} as const;

function failureNext(
  probe: ProbeMessage['probe'],
  { failureThreshold: threshold }: Probe,
  isKnown: boolean,
): string {
  const failures = isKnown ? String(threshold) : 'failureThreshold (3 by default)';
  const row =
    isKnown && threshold === 1 ? 'After one failure' : `After ${failures} failures in a row`;
  return `${row}, ${RESULTS[probe]}.`;
}
