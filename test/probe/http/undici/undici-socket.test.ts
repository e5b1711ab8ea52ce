import { once } from 'node:events';

import { expect, it, vi } from 'vitest';

import { UndiciSocket } from '../../../../src/probe/http/undici/undici-socket.js';

function aSocket(): { socket: UndiciSocket; taken: () => number } {
  const take = vi.fn(() => null);
  const socket = new UndiciSocket({ write: () => undefined, take });
  return { socket, taken: () => take.mock.calls.length };
}

it('gives what was pushed, and asks for more when that is read', () => {
  const { socket, taken } = aSocket();
  socket.push(Buffer.from('ab'));
  expect(socket.read()?.toString()).toBe('ab');
  expect(taken()).toBe(0);
  expect(socket.read()).toBeNull();
  expect(taken()).toBe(1);
});

it('gives again what was put back', () => {
  const { socket } = aSocket();
  socket.push(Buffer.from('ab'));
  socket.unshift(socket.read()?.subarray(1) ?? Buffer.alloc(0));
  expect(socket.read()?.toString()).toBe('b');
});

it('is closed once, with the first error', async () => {
  const { socket } = aSocket();
  const closed = vi.fn();
  socket.on('close', closed);
  const failed = once(socket, 'error');
  socket.destroy(new Error('first')).destroy(new Error('second'));
  expect(socket.destroyed).toBe(true);
  expect(String(await failed)).toBe('Error: first');
  expect(closed).toHaveBeenCalledTimes(1);
});

it('makes errors cheap while undici is told, and only then', () => {
  const { socket } = aSocket();
  let told: string | undefined;
  socket.on('end', () => {
    told = new Error('reset').stack;
  });
  socket.end();
  expect(told).toBe('Error: reset');
  expect(new Error('after').stack).toContain('undici-socket.test');
});
