import type { Goal } from '../../session/wait-for-goal.js';

/** A fault of the built-in server, and what it teaches. Times are in seconds after its start. */
export interface DemoFault {
  readonly name: string;
  readonly summary: string;
  readonly lesson: string;
  readonly behavior: DemoBehavior;
  /** The end of a run without a terminal. */
  readonly goal: Goal;
}

export interface DemoBehavior {
  readonly upAfter: number;
  readonly hangsAfter?: number;
  /** Ends with this text instead of listening. */
  readonly crash?: string;
  /** The answer at /ready, with status 503. */
  readonly notReady?: string;
  /** Listens at another port than the probed one. */
  readonly isElsewhere?: true;
}

const RESTARTED: Goal = { kind: 'until', condition: 'restarted' };

export const FAULTS: readonly DemoFault[] = [
  {
    name: 'hang',
    summary: 'starts slowly, works, and then hangs',
    lesson:
      'A program that hangs still accepts connections, and nothing but a liveness probe that waits for an answer has it restarted. Until then the failed readiness probe keeps traffic away.',
    behavior: { upAfter: 2.5, hangsAfter: 12 },
    goal: RESTARTED,
  },
  {
    name: 'slow-start',
    summary: 'needs longer to start than its startup probe allows',
    lesson:
      'periodSeconds × failureThreshold of the startup probe is the time that a start may take. A start that needs more never finishes: raise failureThreshold, which costs nothing when the start is fast.',
    behavior: { upAfter: 60 },
    goal: RESTARTED,
  },
  {
    name: 'crash',
    summary: 'ends soon after its start, and is in back-off',
    lesson:
      'No probe is at fault when the program ends by itself. The kubelet starts it again after 10 s, 20 s, 40 s and so on, up to 5 minutes: read its output, not its probes.',
    behavior: { upAfter: 0, crash: 'Error: DATABASE_URL is not set' },
    goal: RESTARTED,
  },
  {
    name: 'not-ready',
    summary: 'runs, but its database is down',
    lesson:
      'A failed readiness probe never restarts anything: it only keeps traffic away, until what the server waits for is back. That is why a database belongs there, and not into the liveness probe.',
    behavior: { upAfter: 1, notReady: '{"status":"DOWN","database":{"status":"DOWN"}}' },
    goal: { kind: 'for', time: 8000 },
  },
  {
    name: 'wrong-port',
    summary: 'listens at another port than its probes ask',
    lesson:
      'The ports of a manifest open nothing: the program decides where it listens. An event says only "connection refused": which ports the program has opened can be seen only on its node.',
    behavior: { upAfter: 0, isElsewhere: true },
    goal: RESTARTED,
  },
];
