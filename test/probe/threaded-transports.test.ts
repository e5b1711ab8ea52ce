import { describe, expect, it } from 'vitest';

import { RealClock } from '../../src/clock/real-clock.js';
import { parseUrl } from '../../src/go/url-parse.js';
import { threadedTransports } from '../../src/probe/threaded-transports.js';
import { buildContainer, buildPod } from '../helpers/builders.js';
import { freePort } from '../helpers/free-port.js';
import { startReplyServer } from '../helpers/raw-server.js';

const PROGRAM = new URL('../../dist/cli/attempt-worker.js', import.meta.url);
const target = { pod: buildPod(), container: buildContainer(), containerID: 'c' };

describe('attempts in threads', () => {
  it('come to what they come to without', async () => {
    const { port } = await startReplyServer('HTTP/1.1 503 No\r\n\r\nbusy');
    const ports = new Map([[8080, port]]);
    const options = { kubeletVersion: '1.36', address: '127.0.0.1', ports };
    const transports = await threadedTransports(PROGRAM, 2, options, new RealClock());
    const url = parseUrl('http://127.0.0.1:8080/');
    if (!url.ok) throw new Error(url.error);
    const request = { url: url.value, header: new Map([['X-A', ['b']]]), host: '' };
    const closed = await freePort();
    const made = await Promise.all([
      transports.http(target, request, 5),
      transports.tcp(target, '127.0.0.1', 8080, 5),
      transports.tcp(target, '127.0.0.1', closed, 5),
      transports.grpc(target, '127.0.0.1', closed, '', 0.2),
    ]);
    expect(made).toMatchObject([
      { result: 'failure', statusCode: 503, detail: { address: `127.0.0.1:${port}` } },
      { result: 'success' },
      { result: 'failure', reason: 'refused' },
      { result: 'failure', reason: 'notConnected' },
    ]);
    expect(made[0].detail?.request).toContain('X-A: b');
    expect(new TextDecoder().decode(made[0].detail?.body)).toBe('busy');
    const refused = { ...request, url: { ...url.value, host: `127.0.0.1:${closed}` } };
    expect(await transports.httpHook(target, refused)).toContain('refused');
  });
});
