import { describe, expect, it } from 'vitest';

import { parseDependency, parseOutage, parseSlow, parseStarve } from '../../src/sim/faults.js';

const WINDOW = { from: 30_000, to: 90_000 };

describe('the options of faults', () => {
  it('reads an outage', () => {
    expect(parseOutage('db=30s..90s')).toEqual({ name: 'db', window: WINDOW });
    expect(parseOutage('db=30s..')).toEqual({ name: 'db', window: { from: 30_000, to: Infinity } });
  });

  it.each(['db', '=30s..90s', 'db=30s', 'db=90s..30s', 'd b=30s..90s'])(
    'refuses %s as an outage',
    (text) => expect(parseOutage(text)).toBeUndefined(),
  );

  it.each([
    ['readiness:db', { on: 'db', target: { kind: 'probe', type: 'readiness' } }],
    [
      'app.liveness:db',
      { on: 'db', container: 'app', target: { kind: 'probe', type: 'liveness' } },
    ],
    ['/ready:db', { on: 'db', target: { kind: 'http', endpoint: '/ready' } }],
    [':8080/ready:db', { on: 'db', target: { kind: 'http', endpoint: ':8080/ready' } }],
    ['requests:db', { on: 'db', target: { kind: 'requests', share: 1 } }],
    ['requests:db=40%', { on: 'db', target: { kind: 'requests', share: 0.4 } }],
  ])('reads %s as a dependency', (text, expected) => {
    expect(parseDependency(text)).toEqual(expected);
  });

  it.each(['readiness', 'readyness:db', 'app.:db', 'readiness:db=40%', 'requests:db=4', ':db'])(
    'refuses %s as a dependency',
    (text) => expect(parseDependency(text)).toBeUndefined(),
  );

  it('reads a shortage of CPU, and slow answers', () => {
    expect(parseStarve('0.2@30s..90s')).toEqual({ amount: 0.2, window: WINDOW });
    expect(parseStarve('20%@30s..90s')).toEqual({ amount: 0.2, window: WINDOW });
    expect(parseSlow('3x@30s..90s')).toEqual({ amount: 3, window: WINDOW });
  });

  it.each(['0@30s..90s', '2@30s..90s', '0.2', '0.2@30s'])('refuses %s as a share', (text) =>
    expect(parseStarve(text)).toBeUndefined(),
  );

  it.each(['0.5x@30s..90s', '3@30s..90s', '3x', 'x@30s..90s'])('refuses %s as a factor', (text) =>
    expect(parseSlow(text)).toBeUndefined(),
  );
});
