/** Cause of an error, where more than a text is known. */
export type IoReason =
  | 'refused'
  | 'timeout'
  | 'reset'
  | 'closed'
  | 'noHost'
  | 'noRoute'
  | 'redirects'
  /** The server answers something other than HTTP/1. */
  | 'notHTTP'
  | 'speaksHTTP2'
  | 'speaksTLS'
  /** The server answers plain HTTP to a TLS client. */
  | 'plainHTTP'
  | 'tls'
  /** A file is absent or may not be used. */
  | 'notFound'
  | 'notPermitted';

/** An error of Go's network libraries. It is thrown on the way of an attempt, and its text ends the outcome. */
export class IoError extends Error {
  override readonly name = 'IoError';

  /** A text that costs much is given as a function, and made when it is first read. */
  constructor(
    message: string | (() => string),
    readonly reason?: IoReason,
  ) {
    super(typeof message === 'string' ? message : '');
    if (typeof message === 'string') return;
    let text: string | undefined;
    Object.defineProperty(this, 'message', { get: () => (text ??= message()) });
  }
}

/** Ports DeadlineExceeded (context/context.go). */
export const DEADLINE_EXCEEDED = 'context deadline exceeded';
