/**
 * What a Go function on the way of an attempt returns as its error. It is thrown inside this folder
 * only, and ends as the text of an outcome.
 */
export class IoError extends Error {
  override readonly name = 'IoError';

  /** A text that is dear to make is made when somebody asks for it. */
  constructor(message: string | (() => string)) {
    super(typeof message === 'string' ? message : '');
    if (typeof message === 'string') return;
    let text: string | undefined;
    Object.defineProperty(this, 'message', { get: () => (text ??= message()) });
  }
}

/** What a context's end reads as (context/context.go). */
export const DEADLINE_EXCEEDED = 'context deadline exceeded';

/** The text of what was thrown on the way of an attempt; a bug goes on as it is. */
export function ioErrorText(error: unknown): string {
  if (error instanceof IoError) return error.message;
  throw error;
}
