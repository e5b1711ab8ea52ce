import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { VirtualClock } from '../../../src/clock/virtual-clock.js';
import {
  type ListerWatcher,
  Reflector,
  type WatchEvent,
} from '../../../src/cluster/client/reflector.js';
import { ClusterError } from '../../../src/cluster/cluster-error.js';
import type { KubeObject, ReflectHandler } from '../../../src/cluster/types.js';
import { podOf } from '../fake-api-server.js';

const pod = podOf as (name: string, version: number, uid?: string) => KubeObject;
const event = (type: WatchEvent['type'], object: KubeObject): WatchEvent => ({ type, object });
const bookmark = (version: number): WatchEvent => event('BOOKMARK', pod('', version));
const gone = new ClusterError('expired', 'too old resource version');
const refused = new ClusterError('unreachable', 'connection refused');

/** A list of pods at a version, or an error. */
type List = { readonly version: number; readonly pods: readonly KubeObject[] } | ClusterError;
/** Events at their seconds, and at its end: closed, broken, or silent until it is stopped. */
interface Watch {
  readonly events?: readonly (readonly [seconds: number, event: WatchEvent])[];
  readonly end?: readonly [seconds: number, end: 'closed' | ClusterError];
}

/** Plays lists and watches in their order; each request is noted with its time. */
class ScriptedApi implements ListerWatcher {
  readonly requests: string[] = [];
  /** The spans in seconds in which the server answers nothing; a ping then fails after 5 s. */
  silent: readonly (readonly [from: number, to: number])[] = [];
  readonly #begin: number;

  constructor(
    readonly clock: VirtualClock,
    readonly lists: List[],
    readonly watches: (Watch | ClusterError)[],
  ) {
    this.#begin = clock.now();
  }

  list(onPage: (items: readonly KubeObject[]) => void): Promise<string> {
    this.#note('list');
    const list = this.lists.shift();
    if (list === undefined) throw new Error('no more lists');
    if (list instanceof ClusterError) return Promise.reject(list);
    for (const one of list.pods) onPage([one]);
    return Promise.resolve(String(list.version));
  }

  async watch(
    { resourceVersion, timeoutSeconds }: { resourceVersion: string; timeoutSeconds: string },
    signal: AbortSignal,
  ): Promise<AsyncIterable<WatchEvent>> {
    this.#note(`watch ${resourceVersion} for ${timeoutSeconds} s`);
    const watch = this.watches.shift() ?? {};
    if (watch instanceof ClusterError) throw watch;
    const end = this.#silentUntil();
    if (end !== undefined) await this.#until(this.#begin + end * 1000, signal);
    return this.#play(watch, signal);
  }

  async *#play({ events = [], end }: Watch, signal: AbortSignal): AsyncGenerator<WatchEvent> {
    const begin = this.clock.now();
    for (const [seconds, one] of events) {
      await this.#until(begin + seconds * 1000, signal);
      yield one;
    }
    await this.#until(end === undefined ? Infinity : begin + end[0] * 1000, signal);
    if (end?.[1] instanceof ClusterError) throw end[1];
  }

  ping(): Promise<void> {
    if (this.#silentUntil() === undefined) return Promise.resolve();
    const lost = new ClusterError('timeout', 'no answer');
    return new Promise((_, reject) => this.clock.setTimeout(() => reject(lost), 5000));
  }

  #silentUntil(): number | undefined {
    const seconds = (this.clock.now() - this.#begin) / 1000;
    return this.silent.find(([from, to]) => from <= seconds && seconds < to)?.[1];
  }

  #until(time: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const aborted = (): void => reject(new DOMException('aborted', 'AbortError'));
      if (signal.aborted) aborted();
      signal.addEventListener('abort', aborted);
      if (time < Infinity) this.clock.setTimeout(resolve, time - this.clock.now());
    });
  }

  #note(text: string): void {
    const seconds = Number(((this.clock.now() - this.#begin) / 1000).toFixed(3));
    this.requests.push(`${seconds} ${text}`);
  }
}

let clock: VirtualClock;
let told: string[];
let stop: AbortController;
beforeEach(() => {
  // Half of each range: back-offs of 1.2 s, 2.4 s …, watches of 450 s.
  clock = new VirtualClock(() => 0.5);
  told = [];
  stop = new AbortController();
});
afterEach(() => stop.abort());

const handler: ReflectHandler = {
  upsert: ({ metadata }) => void told.push(`${metadata.name}@${metadata.resourceVersion}`),
  remove: ({ metadata }) => void told.push(`-${metadata.name}@${metadata.resourceVersion}`),
  synced: () => void told.push('synced'),
  connection: (state) => void told.push(state.up ? 'up' : `down: ${state.error.message}`),
};

function start(
  lists: List[],
  watches: (Watch | ClusterError)[],
  own: Partial<ReflectHandler> = {},
) {
  const api = new ScriptedApi(clock, lists, watches);
  const done = new Reflector(api, { ...handler, ...own }, clock, stop.signal).run();
  done.catch(() => undefined);
  return { api, done };
}

describe('a reflector', () => {
  it('lists, then watches from the version of the list', async () => {
    const { api, done } = start(
      [{ version: 7, pods: [pod('a', 5), pod('b', 6)] }],
      [
        {
          events: [
            [1, event('MODIFIED', pod('a', 8))],
            [2, event('ADDED', pod('c', 9))],
            [3, event('DELETED', pod('b', 10))],
          ],
        },
      ],
    );
    await clock.advance(4000);
    expect(told).toEqual(['a@5', 'b@6', 'up', 'synced', 'a@8', 'c@9', '-b@10']);
    expect(api.requests).toEqual(['0 list', '0 watch 7 for 450 s']);
    stop.abort();
    await expect(done).resolves.toBeUndefined();
  });

  it('takes an object without a uid', async () => {
    const object = { metadata: { name: 'a', resourceVersion: '5' } } as KubeObject;
    start([{ version: 7, pods: [object] }], [{}]);
    await clock.advance(0);
    expect(told).toEqual(['a@5', 'up', 'synced']);
  });

  it('goes on from the last version, also of a bookmark, when the server ends a watch', async () => {
    const { api } = start(
      [{ version: 7, pods: [pod('a', 5)] }],
      [
        { events: [[80, event('MODIFIED', pod('a', 8))]], end: [100, 'closed'] },
        { events: [[60, bookmark(50)]], end: [100, refused] },
        { events: [[1, event('ADDED', pod('a', 8))]] },
      ],
    );
    await clock.advance(250_000);
    // A stream that breaks is not told while the next watch succeeds.
    expect(told).toEqual(['a@5', 'up', 'synced', 'a@8']);
    expect(api.requests).toEqual([
      '0 list',
      '0 watch 7 for 450 s',
      '100 watch 8 for 450 s',
      '200 watch 50 for 450 s',
    ]);
  });

  it('lists again after a 410, and reports only what differs', async () => {
    const { api } = start(
      [
        { version: 7, pods: [pod('a', 5), pod('b', 6), pod('c', 7), pod('d', 7)] },
        { version: 90, pods: [pod('a', 5), pod('b', 80), pod('d', 85, 'another'), pod('e', 90)] },
      ],
      [{ end: [10, gone] }],
    );
    await clock.advance(20_000);
    expect(told.slice(6)).toEqual(['b@80', '-d@7', 'd@85', 'e@90', '-c@7']);
    expect(api.requests).toEqual([
      '0 list',
      '0 watch 7 for 450 s',
      '11.2 list',
      '11.2 watch 90 for 450 s',
    ]);
  });

  it('does so at once when the last list is older than half a minute', async () => {
    const { api } = start(
      [
        { version: 7, pods: [] },
        { version: 90, pods: [] },
      ],
      [{ end: [10, refused] }, refused, refused, refused, { end: [20, gone] }],
    );
    await clock.advance(60_000);
    expect(told).toEqual(['up', 'synced', 'down: connection refused', 'up']);
    // Waits of 1.2, 2.4 and 4.5 s.
    expect(api.requests.slice(5)).toEqual([
      '18.1 watch 7 for 450 s',
      '38.1 list',
      '38.1 watch 90 for 450 s',
    ]);
  });

  it('does so when the watch is refused with a 410', async () => {
    const { api } = start(
      [
        { version: 7, pods: [] },
        { version: 90, pods: [] },
      ],
      [{ end: [10, 'closed'] }, gone],
    );
    await clock.advance(20_000);
    expect(told).toEqual(['up', 'synced']);
    expect(api.requests.slice(2)).toEqual([
      '10 watch 7 for 450 s',
      '11.2 list',
      '11.2 watch 90 for 450 s',
    ]);
  });

  it('ends a silent watch after 90 seconds', async () => {
    const { api } = start([{ version: 7, pods: [] }], [{ events: [[60, bookmark(9)]] }, {}]);
    await clock.advance(151_000);
    expect(told).toEqual(['up', 'synced']);
    expect(api.requests.slice(1)).toEqual(['0 watch 7 for 450 s', '150 watch 9 for 450 s']);
  });

  it('tells of a server that hangs within 10 s, and of its end, and continues its watch', async () => {
    const { api } = start(
      [{ version: 7, pods: [pod('a', 5)] }],
      [{ events: [[20, bookmark(9)]] }, {}, {}, {}, {}],
    );
    api.silent = [[21, 60]];
    await clock.advance(31_000);
    expect(told).toEqual(['a@5', 'up', 'synced', 'down: no answer']);
    await clock.advance(40_000);
    expect(told.slice(4)).toEqual(['up']);
    expect(api.requests.slice(1)).toEqual([
      '0 watch 7 for 450 s',
      '31.2 watch 9 for 450 s',
      '43.6 watch 9 for 450 s',
      '58.1 watch 9 for 450 s',
    ]);
  });

  it('tells once that the server is gone, and once that it is back; the waits double up to 3 s', async () => {
    const { api } = start(
      [{ version: 7, pods: [pod('a', 5)] }],
      [
        { end: [10, refused] },
        ...Array.from({ length: 7 }, () => refused),
        { events: [[1, event('MODIFIED', pod('a', 8))]] },
      ],
    );
    await clock.advance(120_000);
    expect(told).toEqual(['a@5', 'up', 'synced', 'down: connection refused', 'up', 'a@8']);
    const times = api.requests.slice(2).map((request) => Number(request.split(' ')[0]));
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(waits.map((wait) => Number(wait.toFixed(3)))).toEqual([
      1.2, 2.4, 4.5, 4.5, 4.5, 4.5, 4.5,
    ]);
  });

  it('begins with short waits again after two good minutes', async () => {
    const { api } = start(
      [{ version: 7, pods: [] }],
      [refused, refused, { events: [[70, bookmark(8)]], end: [130, 'closed'] }, refused],
    );
    await clock.advance(150_000);
    expect(api.requests.map((request) => Number(request.split(' ')[0]))).toEqual([
      0, 0, 1.2, 3.6, 133.6, 134.8,
    ]);
  });

  it('waits as long as Retry-After says', async () => {
    const busy = new ClusterError('busy', 'slow down', { retryAfter: 7000 });
    const { api } = start([busy, { version: 7, pods: [] }], []);
    await clock.advance(8000);
    expect(told).toEqual(['down: slow down', 'up', 'synced']);
    expect(api.requests.slice(0, 2)).toEqual(['0 list', '7 list']);
  });

  it('waits after a watch that ends at once', async () => {
    const { api } = start([{ version: 7, pods: [] }], [{ end: [0.1, 'closed'] }, {}]);
    await clock.advance(5000);
    expect(api.requests.slice(1)).toEqual(['0 watch 7 for 450 s', '1.3 watch 7 for 450 s']);
  });

  it.each(['forbidden', 'unauthorized', 'notFound', 'invalid', 'untrusted'] as const)(
    'rejects when the first list is %s, and tries again when a later one is',
    async (code) => {
      const error = new ClusterError(code, 'no');
      await expect(start([error], []).done).rejects.toBe(error);
      const { api } = start(
        [{ version: 7, pods: [] }, error, { version: 9, pods: [] }],
        [{ end: [10, gone] }],
      );
      await clock.advance(20_000);
      expect(told).toEqual(['up', 'synced', 'down: no', 'up']);
      expect(api.requests).toHaveLength(5);
    },
  );

  it('keeps trying while the first list finds no server', async () => {
    const { done } = start([refused, refused, { version: 7, pods: [pod('a', 1)] }], []);
    await clock.advance(10_000);
    expect(told).toEqual(['down: connection refused', 'a@1', 'up', 'synced']);
    stop.abort();
    await done;
  });

  it('does not tell of a deletion that it has not told the object of', async () => {
    start(
      [{ version: 7, pods: [] }],
      [
        {
          events: [
            [1, event('DELETED', pod('a', 8))],
            [2, event('ADDED', pod('b', 9))],
            [3, event('DELETED', pod('b', 10, 'older'))],
          ],
        },
      ],
    );
    await clock.advance(5000);
    expect(told).toEqual(['up', 'synced', 'b@9']);
  });

  it('leaves a bug as it is', async () => {
    const bug = new TypeError('bug');
    const { done } = start([{ version: 7, pods: [pod('a', 1)] }], [], {
      upsert: () => {
        throw bug;
      },
    });
    await expect(done).rejects.toBe(bug);
  });
});
