import { expect, it } from 'vitest';

import { choosePaths, NO_SUCH_PATH, pathsToAsk } from '../../../src/commands/init/choose-paths.js';

type Times = Readonly<Record<string, number>>;

it.each<[string, Times, object]>([
  [
    'takes each probe its own path',
    { '/livez': 300, '/readyz': 2000, '/': 300 },
    { liveness: '/livez', readiness: '/readyz' },
  ],
  [
    'probes the one health path for both',
    { '/healthz': 300, '/': 300 },
    { liveness: '/healthz', readiness: '/healthz' },
  ],
  ['takes the root where no usual path answers', { '/': 300 }, { liveness: '/', readiness: '/' }],
  [
    'never restarts for a path of readiness, or of dependencies',
    { '/ready': 300, '/actuator/health': 300 },
    { liveness: undefined, readiness: '/ready' },
  ],
  [
    'trusts no usual path of a server that answers all of them',
    { [NO_SUCH_PATH]: 300, '/healthz': 320, '/': 310 },
    { liveness: '/', readiness: '/', answersAll: true },
  ],
  [
    'sees by its time which path of such a server is another',
    { [NO_SUCH_PATH]: 2500, '/healthz': 2510, '/ready': 4500, '/': 2500 },
    { liveness: '/', readiness: '/ready', answersAll: true },
  ],
  [
    'takes paths below a prefix for what they are without it',
    { '/shop/actuator/health': 300, '/shop/livez': 300 },
    { liveness: '/shop/livez', readiness: '/shop/actuator/health' },
  ],
  [
    'prefers a usual path to one below a prefix',
    { '/healthz': 300, '/api/v1/healthz': 300 },
    { liveness: '/healthz', readiness: '/healthz' },
  ],
  ['finds nothing where nothing succeeded', {}, { liveness: undefined, readiness: undefined }],
])('%s', (_, times, chosen) => {
  const answers = Object.entries(times).map(([path, since]) => ({
    path,
    since,
    failedAt: since - 100,
  }));
  expect(choosePaths(answers)).toEqual(chosen);
});

it('takes no path for another one because it was asked late, as on a busy machine', () => {
  const answers = [
    { path: NO_SUCH_PATH, since: 300 },
    { path: '/', since: 400 },
    { path: '/actuator/health', since: 1700 },
  ];
  expect(choosePaths(answers)).toEqual({ liveness: '/', readiness: '/', answersAll: true });
});

it.each([
  ['a route below a prefix', 'Mapped {/app/v1/healthz, GET} route', ['/app/v1/healthz']],
  [
    'a context path',
    "Tomcat started on port 8080 (http) with context path '/shop'",
    ['/shop/livez', '/shop/actuator/health'],
  ],
])('asks for the usual paths below %s', (_, line, paths) => {
  expect(pathsToAsk(['starting', line])).toEqual(
    expect.arrayContaining(['/', '/healthz', ...paths]),
  );
});

it('asks for the usual paths alone where the output names no other ones', () => {
  expect(pathsToAsk(['GET /orders 200'])).toEqual(pathsToAsk([]));
});
