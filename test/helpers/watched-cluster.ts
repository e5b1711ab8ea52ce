import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An API server whose lists are what they are, and whose watches never report anything. */
export interface WatchedCluster {
  readonly url: string;
  readonly requests: readonly string[];
  close(): void;
}

type Lists = Readonly<Record<string, readonly object[] | object | number>>;

/** Serves lists by their resource (`pods`, `events`), and objects by their name; a number is the status of a denial. */
export async function startWatchedCluster(lists: Lists): Promise<WatchedCluster> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    requests.push(request.url ?? '');
    const resource = pathname.split('/').at(-1) ?? '';
    const items = lists[resource] ?? [];
    if (typeof items === 'number') {
      const message = `${resource} is forbidden: User "ci" cannot list resource "${resource}" in API group "" in the namespace "shop"`;
      response.writeHead(items, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ kind: 'Status', code: items, reason: 'Forbidden', message }));
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    if (searchParams.has('watch')) return;
    if (!Array.isArray(items)) {
      response.end(JSON.stringify(items));
      return;
    }
    const name = /metadata\.name=([^,]+)/.exec(searchParams.get('fieldSelector') ?? '')?.[1];
    const found = (items as readonly { readonly metadata: { readonly name: string } }[]).filter(
      ({ metadata }) => name === undefined || metadata.name === name,
    );
    response.end(JSON.stringify({ metadata: { resourceVersion: '9' }, items: found }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A pod of the namespace shop as its kubelet reports it, ready or not. */
export function clusterPod(
  name: string,
  { ready = true, uid = `uid-${name}`, metadata = {} } = {},
) {
  const startedAt = new Date(Date.now() - 60_000).toISOString().replace(/\.\d+/, '');
  const status = ready ? 'True' : 'False';
  const reason = ready
    ? {}
    : { reason: 'ContainersNotReady', message: 'containers with unready status: [app]' };
  return {
    metadata: {
      ...{ name, namespace: 'shop', uid, resourceVersion: '1', creationTimestamp: startedAt },
      ...metadata,
    },
    spec: {
      nodeName: 'node-1',
      containers: [
        {
          name: 'app',
          image: 'web:1',
          readinessProbe: { httpGet: { port: 8080 }, periodSeconds: 5 },
        },
      ],
    },
    status: {
      phase: 'Running',
      startTime: startedAt,
      conditions: [{ type: 'Ready', status, lastTransitionTime: startedAt, ...reason }],
      containerStatuses: [
        {
          ...{ name: 'app', ready, started: true, restartCount: 0, image: 'web:1', imageID: '' },
          ...{ containerID: 'containerd://1', lastState: {}, state: { running: { startedAt } } },
        },
      ],
    },
  };
}

/** An event about a pod of `clusterPod`. */
export function clusterEvent(pod: string, reason: string, message: string, count = 1) {
  const time = new Date().toISOString().replace(/\.\d+/, '');
  return {
    metadata: {
      name: `${pod}.${reason}`,
      namespace: 'shop',
      uid: `${pod}-${reason}`,
      resourceVersion: '2',
    },
    involvedObject: {
      kind: 'Pod',
      name: pod,
      namespace: 'shop',
      uid: `uid-${pod}`,
      fieldPath: 'spec.containers{app}',
    },
    ...{ type: reason === 'Unhealthy' ? 'Warning' : 'Normal', reason, message, count },
    ...{ firstTimestamp: time, lastTimestamp: time },
  };
}
