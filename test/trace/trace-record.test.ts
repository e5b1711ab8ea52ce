import { describe, expect, it } from 'vitest';

import type { TraceLine } from '../../src/trace/trace-line.js';
import { encodeLine } from '../../src/trace/trace-record.js';
import { buildContainerStatus, buildPod } from '../helpers/builders.js';
import { buildAttemptDone } from '../helpers/traces.js';

const decode = (line: TraceLine): unknown => JSON.parse(encodeLine(line));
const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

const done = buildAttemptDone();

describe('encodeLine', () => {
  it('writes JSON without a line break', () => {
    const line: TraceLine = { t: 0.25, kind: 'note', level: 'info', text: 'a\nb' };
    expect(encodeLine(line)).toBe('{"t":0.25,"kind":"note","level":"info","text":"a\\nb"}');
  });

  it('writes a pod unchanged', () => {
    const line: TraceLine = { t: 0, kind: 'pod', pod: 'default/web', object: buildPod() };
    expect(decode(line)).toEqual(line);
  });

  it('writes a status in the form of the API', () => {
    const line: TraceLine = {
      t: 1,
      kind: 'status',
      pod: 'default/web',
      phase: 'Running',
      reason: '',
      conditions: {},
      containers: [],
      initContainers: [],
      podStatus: { phase: 'Running', startTime: 0, containerStatuses: [buildContainerStatus()] },
    };
    expect(decode(line)).toMatchObject({
      t: 1,
      phase: 'Running',
      podStatus: {
        startTime: '1970-01-01T00:00:00Z',
        containerStatuses: [{ state: { running: { startedAt: '1970-01-01T00:00:00Z' } } }],
      },
    });
  });

  it('writes no detail for an attempt without one', () => {
    expect(decode(done)).toEqual(done);
  });

  it.each<[string, Uint8Array | undefined, object]>([
    ['without a body', undefined, {}],
    ['with a text body', new TextEncoder().encode('naïve\n'), { body: 'naïve\n' }],
    ['with an empty body', bytes(), { body: '' }],
    ['with a byte order mark', bytes(0xef, 0xbb, 0xbf, 0x61), { body: '\uFEFFa' }],
    ['with a body that is not UTF-8 as base64', bytes(0xff, 0x00, 0x61), { bodyB64: '/wBh' }],
    ['with a body that ends within a character as base64', bytes(0x61, 0xc3), { bodyB64: 'YcM=' }],
  ])('writes a detail %s', (_, body, shown) => {
    const detail = { address: '127.0.0.1:80', timings: { total: 1 } };
    const line = { ...done, detail: body === undefined ? detail : { ...detail, body } };
    expect(decode(line)).toEqual({ ...done, detail: { ...detail, ...shown } });
  });
});
