import { DEADLINE_EXCEEDED, IoError } from '../io-error.js';

/** The time was up before there was a connection. Ports errRequestCanceledConn (net/http/transport.go). */
export class CanceledWhileConnecting extends IoError {
  constructor() {
    super('net/http: request canceled while waiting for connection');
  }
}

/** The time was up before the request began. */
export class ExpiredBefore extends IoError {
  constructor() {
    super(DEADLINE_EXCEEDED);
  }
}

const SUFFIX = ' (Client.Timeout exceeded while awaiting headers)';

/**
 * What a request says whose time is up. Over TLS it is one of two timers that ends it in Go, and the
 * text depends on which: this is the more frequent one. Ports Client.do's end (net/http/client.go).
 */
export function timeoutText(error: unknown, isTLS: boolean): string {
  if (isTLS && error instanceof ExpiredBefore) return error.message;
  const what =
    isTLS && error instanceof CanceledWhileConnecting ? error.message : DEADLINE_EXCEEDED;
  return what + SUFFIX;
}
