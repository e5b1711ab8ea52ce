import { expect, it } from 'vitest';

import { ResultsManager, type ResultUpdate } from '../../../src/kubelet/prober/results-manager.js';
import type { Result } from '../../../src/trace/event.js';

function create(): { manager: ResultsManager; published: ResultUpdate[] } {
  const published: ResultUpdate[] = [];
  return { manager: new ResultsManager((update) => published.push(update)), published };
}

it('ResultsManager keeps the latest result per container ID until it is removed', () => {
  const { manager } = create();
  expect(manager.get('test://a')).toBeUndefined();
  manager.set('test://a', 'success', 'uid-1');
  manager.set('test://b', 'failure', 'uid-1');
  manager.set('test://a', 'unknown', 'uid-1');
  expect([manager.get('test://a'), manager.get('test://b')]).toEqual(['unknown', 'failure']);
  manager.remove('test://a');
  expect(manager.get('test://a')).toBeUndefined();
});

it.each<[string, readonly Result[], readonly Result[]]>([
  ['the first one, success', ['success'], ['success']],
  ['the first one, failure', ['failure'], ['failure']],
  ['a change', ['failure', 'success'], ['failure', 'success']],
  ['no repetition', ['success', 'success', 'success'], ['success']],
])('ResultsManager publishes %s', (_, given, expected) => {
  const { manager, published } = create();
  for (const result of given) manager.set('test://a', result, 'uid-1');
  expect(published).toEqual(
    expected.map((result) => ({ containerID: 'test://a', result, podUID: 'uid-1' })),
  );
});

it('ResultsManager does not publish a removal, but the same result after it', () => {
  const { manager, published } = create();
  manager.set('test://a', 'success', 'uid-1');
  manager.remove('test://a');
  expect(published).toHaveLength(1);
  manager.set('test://a', 'success', 'uid-1');
  expect(published).toHaveLength(2);
});
