import { STATUS_CODES } from 'node:http';

import type { ByteString } from '../../go/byte-string.js';
import type { IoReason } from '../../go/io-error.js';
import { atoi, parseInt64 } from '../../go/parse-int.js';
import { quote } from '../../go/quote.js';
import type { ReleaseBehavior } from '../../kubelet/release.js';
import type { Fields } from '../h2/stream.js';

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

type CodeName = (typeof CODES)[number];

export interface Status {
  /** A number that has no name is kept; an error of Go that is no status has none. */
  readonly code: number | undefined;
  readonly message: ByteString;
  /** Cause of a broken connection. */
  readonly reason?: IoReason | undefined;
}

export function status(code: CodeName, message: ByteString, reason?: IoReason): Status {
  return { code: CODES.indexOf(code), message, reason };
}

/** Ports Code.String (google.golang.org/grpc/codes/code_string.go). */
export function codeName(code: number): string {
  return CODES[code] ?? `Code(${code})`;
}

/** Ports Status.String (google.golang.org/grpc/internal/status/status.go). */
export function statusText({ code, message }: Status): ByteString {
  return code === undefined ? message : `rpc error: code = ${codeName(code)} desc = ${message}`;
}

/** gRPC codes by HTTP/2's error name; all other errors are Internal. Ports http2ErrConvTab (internal/transport/http_util.go). */
const RESET_CODES: Readonly<Record<string, CodeName>> = {
  FLOW_CONTROL_ERROR: 'ResourceExhausted',
  REFUSED_STREAM: 'Unavailable',
  CANCEL: 'Canceled',
  ENHANCE_YOUR_CALM: 'ResourceExhausted',
  INADEQUATE_SECURITY: 'PermissionDenied',
};

export function resetStatus(errorName: string, message: string): Status {
  const other = errorName.startsWith('unknown') ? 'Unknown' : 'Internal';
  return status(RESET_CODES[errorName] ?? other, message);
}

/** All others are Unknown. Ports HTTPStatusConvTab (internal/transport/http_util.go). */
const HTTP_CODES: Readonly<Record<number, CodeName>> = {
  400: 'Internal',
  401: 'Unauthenticated',
  403: 'PermissionDenied',
  404: 'Unimplemented',
  429: 'Unavailable',
  502: 'Unavailable',
  503: 'Unavailable',
  504: 'Unavailable',
};

/** The meaning of a HEADERS frame for a call. */
type HeadersVerdict =
  | { readonly kind: 'initial'; readonly encoding: ByteString }
  /** The response itself follows. */
  | { readonly kind: 'interim' }
  /** The server's own end. */
  | { readonly kind: 'trailers'; readonly status: Status }
  /** A response of another protocol, whose body follows. */
  | { readonly kind: 'foreign'; readonly status: Status }
  /** The client ends the call because of the response. */
  | { readonly kind: 'broken'; readonly status: Status };

/** Ports operateHeaders (google.golang.org/grpc/internal/transport/http2_client.go). */
export function operateHeaders(
  fields: Fields,
  endStream: boolean,
  isInitial: boolean,
  { readsGRPCWithAnyStatus, quotesForeignResponse }: ReleaseBehavior,
): HeadersVerdict {
  // The last of several fields of one name counts.
  const values = new Map(fields);
  const grpcStatus = values.get('grpc-status');
  const code = grpcStatus === undefined ? undefined : parseInt64(grpcStatus, 32);
  if (code?.ok === false) {
    const name = readsGRPCWithAnyStatus ? 'Unknown' : 'Internal';
    return broken(status(name, `transport: malformed grpc-status: ${code.error}`));
  }
  const httpStatus = values.get(':status') ?? '';
  const problem = isInitial ? contentTypeProblem(values.get('content-type')) : '';
  const isRead = !isInitial || readsGRPCWithAnyStatus || httpStatus === '200';
  if (problem !== '' || !isRead) {
    if (readsGRPCWithAnyStatus && httpStatus.startsWith('1')) return { kind: 'interim' };
    const failed = foreignStatus(httpStatus, problem, readsGRPCWithAnyStatus);
    return { kind: quotesForeignResponse && !endStream ? 'foreign' : 'broken', status: failed };
  }
  for (const [name, value] of fields) {
    const malformed = name.endsWith('-bin') ? base64Problem(value) : undefined;
    if (malformed !== undefined) {
      return broken(status('Internal', `transport: malformed ${name}: ${malformed}`));
    }
  }
  if (!endStream) return { kind: 'initial', encoding: values.get('grpc-encoding') ?? '' };
  const message = decodeGrpcMessage(values.get('grpc-message') ?? '');
  if (!code) return { kind: 'trailers', status: status('Unknown', message) };
  return { kind: 'trailers', status: { code: code.value >>> 0, message } };
}

function broken(of: Status): HeadersVerdict {
  return { kind: 'broken', status: of };
}

function contentTypeProblem(contentType: ByteString | undefined): string {
  if (contentType === undefined) return 'malformed header: missing HTTP content-type';
  if (/^application\/grpc(?:[+;]|$)/.test(contentType)) return '';
  return `transport: received unexpected content-type ${quote(contentType)}`;
}

/** Returns the error of a response of another protocol. */
function foreignStatus(httpStatus: ByteString, problem: string, namesOK: boolean): Status {
  const code = atoi(httpStatus);
  if (!code.ok) return status('Internal', `transport: malformed http-status: ${code.error}`);
  const text = `unexpected HTTP status code received from server: ${code.value} (${httpStatusText(code.value)})`;
  const problems = [httpStatus === '200' && !namesOK ? '' : text, problem];
  const message = problems.filter((each) => each !== '').join('; ');
  return status(HTTP_CODES[code.value] ?? 'Unknown', message);
}

/** Undoes the percent-encoding of a grpc-message. Ports decodeGrpcMessage (internal/transport/http_util.go). */
function decodeGrpcMessage(message: ByteString): ByteString {
  return message.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Ports decodeBinHeader (http_util.go) and its CorruptInputError. */
function base64Problem(value: ByteString): string | undefined {
  const isPadded = value.length % 4 === 0;
  const digits = /^[A-Za-z0-9+/]*/.exec(value)?.[0].length ?? 0;
  const padding = isPadded ? /^={0,2}$/.test(value.slice(digits)) : digits === value.length;
  const isWhole = isPadded || digits % 4 !== 1;
  if (padding && isWhole) return undefined;
  return `illegal base64 data at input byte ${Math.min(digits, value.length)}`;
}

/** Go's texts that are not Node's. */
const GO_TEXTS: Readonly<Record<number, string>> = {
  413: 'Request Entity Too Large',
  414: 'Request URI Too Long',
  416: 'Requested Range Not Satisfiable',
  418: "I'm a teapot",
  509: '',
};

/** Ports http.StatusText (net/http/status.go). */
function httpStatusText(code: number): string {
  return GO_TEXTS[code] ?? STATUS_CODES[code] ?? '';
}
