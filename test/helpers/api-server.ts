import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeApiServer {
  /** The flags that lead to it. */
  readonly flags: readonly string[];
  readonly requests: readonly string[];
  /** The objects, by path; a number is an HTTP status without an object. */
  readonly objects: Map<string, object | number>;
  close(): void;
}

/** Serves objects to GET requests as an API server does. */
export async function fakeApiServer(): Promise<FakeApiServer> {
  const objects = new Map<string, object | number>();
  const requests: string[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const path = decodeURIComponent((request.url ?? '').split('?')[0] ?? '');
    requests.push(`${request.method ?? ''} ${path}`);
    const found = objects.get(path) ?? 404;
    const status = typeof found === 'number' ? found : 200;
    const [resource = '', name = ''] = path.split('/').slice(-2);
    const denial = `is forbidden: User "ci" cannot get resource "${resource}" in API group "apps" in the namespace "shop"`;
    const message = `${resource} "${name}" ${status === 403 ? denial : 'not found'}`;
    const reason = status === 403 ? 'Forbidden' : 'NotFound';
    const body =
      typeof found === 'number' ? { kind: 'Status', code: status, reason, message } : found;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    flags: ['--server', `http://127.0.0.1:${port}`, '-n', 'shop'],
    requests,
    objects,
    close: () => server.close(),
  };
}
