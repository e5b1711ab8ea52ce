// The sidecar: the app starts when its startup probe has succeeded.
import { createServer } from 'node:net';

createServer((socket) => socket.end()).listen(18096, '127.0.0.1', () => console.log('listening'));
