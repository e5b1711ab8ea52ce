import type { ByteString } from '../../go/byte-string.js';

/** google.golang.org/grpc/codes. */
const CODES = [
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
] as const;

export type CodeName = (typeof CODES)[number];

export interface Status {
  /** A number that has no name is kept. */
  readonly code: number;
  readonly message: ByteString;
}

export function status(code: CodeName, message: ByteString): Status {
  return { code: CODES.indexOf(code), message };
}

export function hasCode({ code }: Status, name: CodeName): boolean {
  return CODES[code] === name;
}

/** Ports Code.String (google.golang.org/grpc/codes/code_string.go). */
export function codeName(code: number): string {
  return CODES[code] ?? `Code(${code})`;
}

/** Ports Status.String (google.golang.org/grpc/internal/status/status.go). */
export function statusText({ code, message }: Status): ByteString {
  return `rpc error: code = ${codeName(code)} desc = ${message}`;
}

/** What a reset stream's error code stands for. Ports http2ErrConvTab (internal/transport/http_util.go). */
const RESET_CODES: readonly CodeName[] = [
  'Internal',
  'Internal',
  'Internal',
  'ResourceExhausted',
  'Internal',
  'Internal',
  'Internal',
  'Unavailable',
  'Canceled',
  'Internal',
  'Internal',
  'ResourceExhausted',
  'PermissionDenied',
  'Internal',
];

export function codeOfReset(errorCode: number): CodeName {
  return RESET_CODES[errorCode] ?? 'Unknown';
}

/** Ports HTTPStatusConvTab (internal/transport/http_util.go). */
export function codeOfHTTPStatus(httpStatus: number): CodeName {
  switch (httpStatus) {
    case 400:
      return 'Internal';
    case 401:
      return 'Unauthenticated';
    case 403:
      return 'PermissionDenied';
    case 404:
      return 'Unimplemented';
    case 429:
    case 502:
    case 503:
    case 504:
      return 'Unavailable';
    default:
      return 'Unknown';
  }
}
