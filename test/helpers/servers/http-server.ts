import { writeReply } from './http-replies.js';
import type { ServerConn } from './server-conn.js';
import type { Reply } from './spec.js';

export interface HttpServing {
  readonly hasTls: boolean;
  readonly record: (raw: string) => void;
  /** The reply to a path. */
  readonly pick: (path: string) => Reply;
  /** A request's head with ports as the case file names them. */
  readonly normalize: (text: string) => string;
}

const TLS_HANDSHAKE = 0x16;
const BAD_REQUEST =
  'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request';

/** Answers requests on a connection until one of its replies ends it. */
export async function serveHTTP(conn: ServerConn, serving: HttpServing): Promise<void> {
  for (;;) {
    if (conn.buffer.length === 0 && !(await conn.fill())) return;
    if (conn.buffer[0] === TLS_HANDSHAKE && !serving.hasTls) {
      await conn.write(Buffer.from(BAD_REQUEST));
      return conn.finish('close');
    }
    const head = await conn.readHead();
    if (head === undefined) return;
    serving.record(head);
    const reply = serving.pick(requestPath(head));
    const end = await writeReply(conn, serving.normalize(head), reply);
    if (end === 'keepOpen') continue;
    return end === undefined ? undefined : conn.finish(end);
  }
}

/** The target up to the query, as the client wrote it. */
function requestPath(head: string): string {
  const [line = ''] = head.split('\r\n', 1);
  const target = line.slice(line.indexOf(' ') + 1);
  const space = target.lastIndexOf(' ');
  const [path = ''] = (space >= 0 ? target.slice(0, space) : target).split('?', 1);
  return path;
}

const METHODS = ['GET /', 'HEAD ', 'POST ', 'PUT /', 'OPTIO'];

/** What an HTTPS server says to a plain request; undefined for anything else. */
export function plainHTTPAnswer(start: Buffer): string | undefined {
  if (!METHODS.includes(start.subarray(0, 5).toString('latin1'))) return undefined;
  return 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';
}
