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
  /** A response of HTTP/1 that breaks its rules, such as one of two lengths. */
  | 'badHTTP'
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

/** The texts of Linux' error numbers, as Go has them (syscall/zerrors_linux_amd64.go). */
const TEXTS: Readonly<Record<string, string>> = {
  E2BIG: 'argument list too long',
  EACCES: 'permission denied',
  EADDRINUSE: 'address already in use',
  EADDRNOTAVAIL: 'cannot assign requested address',
  EAFNOSUPPORT: 'address family not supported by protocol',
  EAGAIN: 'resource temporarily unavailable',
  ECONNABORTED: 'software caused connection abort',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by peer',
  EHOSTDOWN: 'host is down',
  EHOSTUNREACH: 'no route to host',
  EINVAL: 'invalid argument',
  EISDIR: 'is a directory',
  ELOOP: 'too many levels of symbolic links',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'file name too long',
  ENETDOWN: 'network is down',
  ENETUNREACH: 'network is unreachable',
  ENFILE: 'too many open files in system',
  ENOBUFS: 'no buffer space available',
  ENOENT: 'no such file or directory',
  ENOEXEC: 'exec format error',
  ENOMEM: 'cannot allocate memory',
  ENOTCONN: 'transport endpoint is not connected',
  ENOTDIR: 'not a directory',
  EPERM: 'operation not permitted',
  EPIPE: 'broken pipe',
  EPROTO: 'protocol error',
  ETIMEDOUT: 'connection timed out',
  ETXTBSY: 'text file busy',
};

const REASONS: Readonly<Record<string, IoReason>> = {
  EACCES: 'notPermitted',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EHOSTUNREACH: 'noRoute',
  ENETUNREACH: 'noRoute',
  ENOENT: 'notFound',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
};

export function errnoReason({ code = '' }: NodeJS.ErrnoException): IoReason | undefined {
  return REASONS[code];
}

const OWN_LIMITS: readonly unknown[] = ['EMFILE', 'ENFILE', 'ENOMEM'];

/** Reports whether a limit of this machine or of kprobe's own process has caused an error: no fault of a command or a target. */
export function isOwnLimit({ code }: { readonly code?: unknown }): boolean {
  return OWN_LIMITS.includes(code);
}

/** Ports Errno.Error (syscall/syscall_unix.go). */
export function errnoText(error: NodeJS.ErrnoException): string {
  return TEXTS[error.code ?? ''] ?? error.message;
}

/** `connect: connection refused`: the system call and what it said. Ports SyscallError.Error (os/error.go). */
export function syscallText(error: NodeJS.ErrnoException, fallback: string): string {
  const call = isOwnLimit(error) ? 'socket' : (error.syscall ?? fallback);
  return `${call}: ${errnoText(error)}`;
}
