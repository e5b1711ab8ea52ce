/**
 * Runs within a network namespace: connects to what it is told to, and hands the connected socket back, which kprobe
 * then reads and writes as if it had connected by itself. Ends with kprobe.
 */
export const CONNECTOR_SCRIPT = `
const net = require('node:net');
process.on('message', ({ id, host, port }) => {
  const socket = net.connect({ host, port, allowHalfOpen: true });
  socket.pause();
  socket.once('error', ({ code, syscall }) => process.send({ id, code, syscall }));
  socket.once('connect', () => {
    socket.removeAllListeners('error').on('error', () => undefined);
    process.send({ id }, socket);
  });
});
process.on('disconnect', () => process.exit());
process.send({ id: 0 });
`;
