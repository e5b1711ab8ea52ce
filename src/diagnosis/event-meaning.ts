import type { Container, Pod, Probe } from '../api/index.js';
import { probeOf } from '../kubelet/prober/probe-of.js';
import { newPodSummary } from '../trace/summary/fold.js';
import { attemptFault } from './attempt-fault.js';
import type { Finding } from './fault.js';
import {
  findProbeMessage,
  type KubeletMessage,
  parseKubeletMessage,
  type ProbeMessage,
  reportedOutcome,
  timeoutIn,
} from './kubelet-message.js';

/** The meaning of an event: an attempt with its finding, or another action of the kubelet. */
export type EventFacts =
  | {
      readonly kind: 'attempt';
      readonly message: ProbeMessage;
      readonly finding: Finding | undefined;
      readonly spec: Probe;
      /** The manifest has the probe, so that its settings are known. */
      readonly isKnown: boolean;
      /** Seconds that the text names as the timeout. */
      readonly timeout: number | undefined;
    }
  | (KubeletMessage & { readonly reason: string });

/** Reads an event's text as `kubectl describe pod` prints it; undefined for a text of no event known. */
export function eventFacts(text: string, containers: readonly Container[]): EventFacts | undefined {
  const message = findProbeMessage(text);
  return message === undefined ? parseKubeletMessage(text) : attemptFacts(message, containers);
}

function attemptFacts(message: ProbeMessage, containers: readonly Container[]): EventFacts {
  const { probe, output } = message;
  const known = containers.find((each) => probeOf(each, probe) !== undefined);
  const spec = (known && probeOf(known, probe)) ?? probeOfOutput(output);
  const container = known ?? { name: 'app', image: '', [`${probe}Probe`]: spec };
  const pod = { metadata: {}, spec: { containers: [container] } } as unknown as Pod;
  const view = newPodSummary('', pod, 0).containers.find(({ name }) => name === container.name);
  const probeView = view?.probes.find(({ type }) => type === probe);
  const attempt = { ...reportedOutcome(message, spec), run: 0, evidence: 'seen' as const };
  const finding = view && probeView && attemptFault({ container: view, probe: probeView }, attempt);
  const isKnown = known !== undefined;
  return { kind: 'attempt', message, finding, spec, isKnown, timeout: timeoutIn(output) };
}

/** Returns the probe that a text is about, as far as the text describes it. */
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
