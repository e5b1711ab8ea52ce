/** An error of Go's network libraries. It is thrown on the way of an attempt, and its text ends the outcome. */
export class IoError extends Error {
  override readonly name = 'IoError';

  /** A text that costs much is given as a function, and made when it is first read. */
  constructor(message: string | (() => string)) {
    super(typeof message === 'string' ? message : '');
    if (typeof message === 'string') return;
    let text: string | undefined;
    Object.defineProperty(this, 'message', { get: () => (text ??= message()) });
  }
}

/** Ports DeadlineExceeded (context/context.go). */
export const DEADLINE_EXCEEDED = 'context deadline exceeded';

/** Returns the text of an IoError; throws any other error, which is a bug. */
export function ioErrorText(error: unknown): string {
  if (error instanceof IoError) return error.message;
  throw error;
}
