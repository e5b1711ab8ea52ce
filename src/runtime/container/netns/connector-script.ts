/**
 * Runs within a network namespace: connects to what it is told to, and hands the connected socket back, which kprobe
 * then reads and writes as if it had connected by itself. Ends with kprobe.
 */
export const CONNECTOR_SCRIPT = `
const net = require('node:net');
const self = globalThis.process;
self.on('message', ({ id, host, port }) => {
  const socket = net.connect({ host, port, allowHalfOpen: true });
  socket.pause();
  socket.once('error', ({ code, syscall }) => self.send({ id, code, syscall }));
  socket.once('connect', () => {
    socket.removeAllListeners('error').on('error', () => undefined);
    self.send({ id }, socket);
  });
});
self.on('disconnect', () => self.exit());
self.send({ id: 0 });
`;
