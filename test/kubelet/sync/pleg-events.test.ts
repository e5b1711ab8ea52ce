import { describe, expect, it } from 'vitest';

import type {
  RuntimeContainerState,
  RuntimePod,
  RuntimeSandboxState,
} from '../../../src/kubelet/ports.js';
import { computeEvents, hasUnknownChange } from '../../../src/kubelet/sync/pleg-events.js';
import { buildRuntimePod } from '../../helpers/builders.js';

type States = Readonly<Record<string, RuntimeContainerState>>;

function podOf(
  states: States,
  sandboxes: Readonly<Record<string, RuntimeSandboxState>> = {},
): RuntimePod {
  return buildRuntimePod({
    containers: Object.entries(states).map(([id, state]) => ({
      id,
      name: id,
      state,
      sandboxID: 's',
    })),
    sandboxes: Object.entries(sandboxes).map(([id, state]) => ({ id, state })),
  });
}

const show = (old: RuntimePod | undefined, now: RuntimePod | undefined): string[] =>
  computeEvents('uid-1', old, now).map(({ type, id }) => `${id} ${type.replace('Container', '')}`);

describe('between two listings', () => {
  it.each<[string, States | undefined, States | undefined, string[]]>([
    ['nothing happened', { a: 'running', b: 'exited' }, { a: 'running', b: 'exited' }, []],
    ['one began', {}, { a: 'running' }, ['a Started']],
    ['a pod began', undefined, { a: 'running', b: 'exited' }, ['a Started', 'b Died']],
    ['one ended', { a: 'running' }, { a: 'exited' }, ['a Died']],
    ['one began and ended', {}, { a: 'exited' }, ['a Died']],
    ['one that had ended was removed', { a: 'exited' }, {}, ['a Removed']],
    ['one that ran was removed', { a: 'running' }, {}, ['a Died', 'a Removed']],
    ['one that could not be told was removed', { a: 'unknown' }, {}, ['a Died', 'a Removed']],
    [
      'a pod was removed',
      { a: 'exited', b: 'running' },
      undefined,
      ['a Removed', 'b Died', 'b Removed'],
    ],
    ['one was made, which counts for nothing yet', {}, { a: 'created' }, []],
    ['one that was made began', { a: 'created' }, { a: 'running' }, ['a Started']],
    [
      'one cannot be told any more, which counts for nothing',
      { a: 'running' },
      { a: 'unknown' },
      [],
    ],
    ['one can be told again', { a: 'unknown' }, { a: 'running' }, ['a Started']],
    [
      'one ended and another began',
      { a: 'running' },
      { a: 'exited', b: 'running' },
      ['a Died', 'b Started'],
    ],
  ])('%s', (_, old, now, expected) => {
    expect(show(old && podOf(old), now && podOf(now))).toEqual(expected);
  });

  it('sandboxes count as containers, after them', () => {
    const began = podOf({ a: 'running' }, { s1: 'ready' });
    expect(show(undefined, began)).toEqual(['a Started', 's1 Started']);
    expect(show(began, podOf({ a: 'running' }, { s1: 'notReady' }))).toEqual(['s1 Died']);
    expect(show(podOf({}, { s1: 'notReady' }), podOf({}, {}))).toEqual(['s1 Removed']);
  });

  it('every event is about the pod', () => {
    expect(computeEvents('uid-1', undefined, podOf({ a: 'running' }))).toEqual([
      { uid: 'uid-1', type: 'ContainerStarted', id: 'a' },
    ]);
  });
});

it.each<[string, States, States, boolean]>([
  ['was made', {}, { a: 'created' }, true],
  ['cannot be told any more', { a: 'running' }, { a: 'unknown' }, true],
  ['still cannot be told', { a: 'unknown' }, { a: 'unknown' }, false],
  ['was made, and cannot be told', { a: 'created' }, { a: 'unknown' }, false],
  ['began', { a: 'created' }, { a: 'running' }, false],
])('a container that %s is worth a closer look: %#', (_, old, now, expected) => {
  expect(hasUnknownChange(podOf(old), podOf(now))).toBe(expected);
});
