/**
 * Scenarios in which one run of the engine is not what twelve runs of the kubelet agree on, because chance has a say:
 * the kubelet itself, run again, leaves the facts too (docs/fidelity.md, "Divergences", has the runs).
 */
export const RACES: Readonly<Record<string, string>> = {
  'random-1-139':
    'the jitter of five requeues in a row decides whether a last start falls before the end',
  'random-1-173':
    'the jitter of a requeue decides whether a readiness tick falls on the relist of a restart',
};
