import { type ContainerView, currentRun } from '../trace/summary/container-view.js';
import { verdictOfAttempt } from '../trace/summary/probe-view.js';
import { portOf } from './attempt-context.js';
import { advise } from './change.js';
import type { Socket, Trouble } from './fault.js';

/** Returns a warning where a server answers kprobe on this machine's own address alone: a kubelet dials the pod's address. */
export function workingTrouble(container: ContainerView): Trouble[] {
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
      symptom: { kind: 'working' },
      urgency: 'warning',
      needed: 0,
      fault: { kind: 'loopbackOnly', listens: distinct },
      certainty: 'proven',
      evidence: [],
      changes: advise({ do: 'bindAll', family: 4 }),
    },
  ];
}

export function isLoopback(address: string): boolean {
  return /^127\.|^\[?::1\]?$|^\[?::ffff:127\./.test(address);
}
