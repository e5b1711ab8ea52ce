import type { IncomingMessage } from 'node:http';

import { VirtualClock } from '../../src/clock/virtual-clock.js';
import { Connection } from '../../src/cluster/connection/connection.js';
import { loadKubeconfig } from '../../src/cluster/connection/kubeconfig.js';
import {
  type FakeApiServer,
  startApiServer,
  WebSocketPeer,
  writeKubeconfig,
} from './fake-api-server.js';

export interface StreamRig {
  readonly server: FakeApiServer;
  readonly connection: Connection;
  readonly clock: VirtualClock;
  close(): Promise<void>;
}

/** An API server whose pods' streams are served by `serve`, and a connection to it. */
export async function streamRig(
  protocol: string,
  serve: (peer: WebSocketPeer, request: IncomingMessage) => void,
): Promise<StreamRig> {
  const server = await startApiServer(
    (_, response) => response.end(),
    (request, socket) => serve(new WebSocketPeer(request, socket, protocol), request),
  );
  return rigOf(server);
}

/** A connection to a server. */
export function rigOf(
  server: FakeApiServer,
  user?: object,
  cluster?: object,
  timeout = 0,
): StreamRig {
  const kubeconfig = writeKubeconfig(server, user, cluster);
  const clock = new VirtualClock();
  const config = loadKubeconfig({ kubeconfig: kubeconfig.file }, {});
  const connection = new Connection(config, clock, {}, timeout);
  return {
    server,
    connection,
    clock,
    close: async () => {
      kubeconfig.remove();
      await connection.close();
      await server.close();
    },
  };
}
