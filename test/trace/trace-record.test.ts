import { describe, expect, it } from 'vitest';

import type { TraceLine } from '../../src/trace/trace-line.js';
import { encodeLine } from '../../src/trace/trace-record.js';
import { buildContainerStatus, buildPod } from '../helpers/builders.js';
import { buildAttemptDone } from '../helpers/traces.js';

const decode = (line: TraceLine): unknown => JSON.parse(encodeLine(line));
const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

const done = buildAttemptDone();

describe('a line', () => {
  it('is JSON without a line break', () => {
    const line: TraceLine = { t: 0.25, kind: 'note', level: 'info', text: 'a\nb' };
    expect(encodeLine(line)).toBe('{"t":0.25,"kind":"note","level":"info","text":"a\\nb"}');
  });

  it('of a pod has the pod as it is', () => {
    const line: TraceLine = { t: 0, kind: 'pod', pod: 'default/web', object: buildPod() };
    expect(decode(line)).toEqual(line);
  });

  it("of a status has it in the API's words", () => {
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

  it('of an attempt without a detail has none', () => {
    expect(decode(done)).toEqual(done);
  });

  it.each<[string, Uint8Array | undefined, object]>([
    ['without a body has none', undefined, {}],
    ['has its body as text', new TextEncoder().encode('naïve\n'), { body: 'naïve\n' }],
    ['has an empty body', bytes(), { body: '' }],
    ['keeps a byte order mark', bytes(0xef, 0xbb, 0xbf, 0x61), { body: '\uFEFFa' }],
    ['has a body that is not UTF-8 in base64', bytes(0xff, 0x00, 0x61), { bodyB64: '/wBh' }],
    ['has a body cut within a letter in base64', bytes(0x61, 0xc3), { bodyB64: 'YcM=' }],
  ])('of an attempt %s', (_, body, shown) => {
    const detail = { address: '127.0.0.1:80', timings: { total: 1 } };
    const line = { ...done, detail: body === undefined ? detail : { ...detail, body } };
    expect(decode(line)).toEqual({ ...done, detail: { ...detail, ...shown } });
  });
});
