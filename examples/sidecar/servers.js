// What answers at the ports of the shop and of its sidecar.
import { createServer as http } from 'node:http';
import { createServer as tcp } from 'node:net';

http((request, response) => response.end('shop\n')).listen(18083, '127.0.0.1');
tcp((socket) => socket.end()).listen(18084, '127.0.0.1');
