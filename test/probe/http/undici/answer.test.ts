import { once } from 'node:events';

import type { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';

import { EOF_ERROR, UNEXPECTED_EOF_ERROR } from '../../../../src/probe/http/bufio.js';
import { Answer } from '../../../../src/probe/http/undici/answer.js';
import { tappedPeer } from './fake-peer.js';

/** What an answer uses of undici's controller. */
class FakeController {
  readonly calls: string[] = [];
  constructor(readonly rawHeaders: readonly Buffer[]) {}
  pause(): void {
    this.calls.push('pause');
  }
  resume(): void {
    this.calls.push('resume');
  }
}

async function started(name: string, value: string) {
  const { peer, tapped } = tappedPeer();
  peer.push(`HTTP/1.1 200 OK\r\n${name}: ${value}\r\n\r\n`);
  const readable = once(tapped.stream, 'readable');
  tapped.stream.read();
  await readable;
  const fake = new FakeController([Buffer.from(name), Buffer.from(value)]);
  const controller = fake as unknown as Dispatcher.DispatchController;
  const answer = new Answer(tapped);
  answer.onRequestStart(controller);
  answer.onResponseStart(controller, 200);
  return { answer, controller, fake, tapped };
}

describe('an answer', () => {
  it('has the head that undici has read, and then the body', async () => {
    const { answer, controller } = await started('content-length', '2');
    const head = await answer.head;
    expect(head?.statusCode).toBe(200);
    expect(head?.header).toEqual(new Map([['Content-Length', ['2']]]));
    answer.onResponseData(controller, Buffer.from('ok'));
    answer.onResponseEnd();
    const into = Buffer.alloc(10);
    expect(await answer.read(into)).toEqual({ size: 2 });
    expect(into.toString('latin1', 0, 2)).toBe('ok');
    expect(await answer.read(into)).toEqual({ size: 0, error: EOF_ERROR });
  });

  it('has no head when Go would read it otherwise, and takes the stream away', async () => {
    const { answer, tapped } = await started('transfer-encoding', 'chunked');
    expect(await answer.head).toBeUndefined();
    expect(tapped.stream.destroyed).toBe(true);
  });

  it('makes the peer wait while 16 KiB are unread', async () => {
    const { answer, controller, fake } = await started('content-length', '20000');
    answer.onResponseData(controller, Buffer.alloc(20_000));
    expect(fake.calls).toEqual(['pause']);
    await answer.read(Buffer.alloc(20_000));
    expect(fake.calls).toEqual(['pause', 'resume']);
  });

  it('ends unexpectedly when undici fails for no reason of the connection', async () => {
    const { answer } = await started('content-length', '2');
    const reading = answer.read(Buffer.alloc(10));
    answer.onResponseError();
    expect(await reading).toEqual({ size: 0, error: UNEXPECTED_EOF_ERROR });
  });
});
