import { type ContainerView, currentRun } from '../trace/summary/container-view.js';
import { verdictOfAttempt } from '../trace/summary/probe-view.js';
import { badState } from './answer.js';
import { isLoopback, portOf } from './attempt-context.js';
import { attemptFault } from './attempt-fault.js';
import { advise } from './change.js';
import type { DiagnosisDraft, Fault, Socket } from './fault.js';

/** Returns warnings about what counts as a success here: an answer that says otherwise, or one that a pod's kubelet would not get. */
export function workingDrafts(container: ContainerView): DiagnosisDraft[] {
  return [...badStateDrafts(container), ...redirectDrafts(container), ...loopbackDrafts(container)];
}

/** A kubelet does not follow a redirect to another host, and so never asks the server itself. */
function redirectDrafts(container: ContainerView): DiagnosisDraft[] {
  const { run } = currentRun(container) ?? {};
  return container.probes.flatMap((probe): readonly DiagnosisDraft[] => {
    const last = probe.attempts.at(-1);
    if (last?.run !== run || last?.result !== 'warning' || last.error !== undefined) return [];
    const finding = attemptFault({ container, probe }, last);
    return finding === undefined ? [] : [{ ...working(finding.fault), ...finding }];
  });
}

function badStateDrafts(container: ContainerView): DiagnosisDraft[] {
  const { run } = currentRun(container) ?? {};
  return container.probes.flatMap(({ type, attempts }): readonly DiagnosisDraft[] => {
    const last = attempts.at(-1);
    if (last === undefined || last.run !== run || verdictOfAttempt(last) !== 'success') return [];
    const { statusCode: status, detail } = last;
    const state = badState(detail?.body);
    if (status === undefined || state === undefined) return [];
    const fault = { kind: 'successDown', status, state } as const;
    return [
      { ...working(fault), changes: advise({ do: 'answerBadStatus', field: `${type}Probe` }) },
    ];
  });
}

function working(fault: Fault): Omit<DiagnosisDraft, 'changes'> {
  const symptom = { kind: 'working' } as const;
  return { symptom, urgency: 'warning', needed: 0, fault, certainty: 'proven', evidence: [] };
}

/** A server answers kprobe on this machine's own address alone: a kubelet dials the pod's address. */
function loopbackDrafts(container: ContainerView): DiagnosisDraft[] {
  const { run, listening } = currentRun(container) ?? {};
  if (listening === undefined) return [];
  const listens = container.probes.flatMap(({ attempts }): readonly Socket[] => {
    const last = attempts.at(-1);
    if (last === undefined || last.run !== run || verdictOfAttempt(last) !== 'success') return [];
    const port = portOf(last.detail?.address);
    const sockets = listening.sockets.filter((socket) => socket.port === port);
    return sockets.every(({ address }) => isLoopback(address)) ? sockets : [];
  });
  if (listens.length === 0) return [];
  const distinct = [...new Map(listens.map((socket) => [socket.port, socket])).values()];
  return [
    {
      ...working({ kind: 'loopbackOnly', listens: distinct }),
      changes: advise({ do: 'bindAll', family: 4 }),
    },
  ];
}
