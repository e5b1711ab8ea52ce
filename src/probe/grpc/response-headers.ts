import type { ByteString } from '../../go/byte-string.js';
import { atoi, parseInt64 } from '../../go/parse-int.js';
import { quote } from '../../go/quote.js';
import { statusText as httpStatusText } from '../../go/status-text.js';
import type { HeaderField } from '../h2/hpack-decoder.js';
import { base64Problem, decodeGrpcMessage, statusWithDetails } from './metadata.js';
import { codeOfHTTPStatus, type Status, status } from './status.js';

/** What a HEADERS frame means to a call. */
export type HeadersVerdict =
  /** An interim response. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'initial'; readonly encoding: ByteString }
  /** The server's own end. */
  | { readonly kind: 'trailers'; readonly status: Status }
  /** The client ends it because of what came. */
  | { readonly kind: 'broken'; readonly status: Status };

const CONTENT_TYPE = /^application\/grpc(?:[+;]|$)/;

interface Parsed {
  readonly isGRPC: boolean;
  readonly contentTypeProblem: string;
  readonly encoding: ByteString;
  readonly code: number;
  readonly message: ByteString;
  readonly details: readonly ByteString[];
  readonly httpStatus: ByteString;
  readonly headerProblem: string;
}

/** Ports operateHeaders (google.golang.org/grpc/internal/transport/http2_client.go). */
export function operateHeaders(
  fields: readonly HeaderField[],
  endStream: boolean,
  isInitial: boolean,
): HeadersVerdict {
  const parsed = parseFields(fields, isInitial);
  if ('kind' in parsed) return parsed;
  if (!parsed.isGRPC) return notGRPC(parsed, endStream);
  if (parsed.headerProblem !== '') return broken(status('Internal', parsed.headerProblem));
  if (!endStream) return { kind: 'initial', encoding: parsed.encoding };
  const { code, message, details } = parsed;
  return { kind: 'trailers', status: statusWithDetails({ code, message }, details) };
}

function broken(of: Status): HeadersVerdict {
  return { kind: 'broken', status: of };
}

function parseFields(
  fields: readonly HeaderField[],
  isInitial: boolean,
): Parsed | (HeadersVerdict & { kind: 'broken' }) {
  const details: ByteString[] = [];
  const parsed = {
    isGRPC: !isInitial,
    contentTypeProblem: 'malformed header: missing HTTP content-type',
    encoding: '',
    code: status('Unknown', '').code,
    message: '',
    details,
    httpStatus: '',
    headerProblem: '',
  };
  for (const { name, value } of fields) {
    switch (name) {
      case 'content-type':
        if (CONTENT_TYPE.test(value))
          Object.assign(parsed, { contentTypeProblem: '', isGRPC: true });
        else {
          parsed.contentTypeProblem = `transport: received unexpected content-type ${quote(value)}`;
        }
        break;
      case 'grpc-encoding':
        parsed.encoding = value;
        break;
      case 'grpc-status': {
        const code = parseInt64(value, 32);
        if (!code.ok) {
          const why = `transport: malformed grpc-status: ${code.error}`;
          return { kind: 'broken', status: status('Unknown', why) };
        }
        parsed.code = code.value >>> 0;
        break;
      }
      case 'grpc-message':
        parsed.message = decodeGrpcMessage(value);
        break;
      case ':status':
        parsed.httpStatus = value;
        break;
      default: {
        const problem = name.endsWith('-bin') ? base64Problem(value) : undefined;
        if (problem !== undefined)
          parsed.headerProblem = `transport: malformed ${name}: ${problem}`;
        else if (name === 'grpc-status-details-bin') details.push(value);
      }
    }
  }
  return parsed;
}

/** Something else than gRPC answers there. */
function notGRPC(parsed: Parsed, endStream: boolean): HeadersVerdict {
  const { httpStatus, contentTypeProblem } = parsed;
  const withProblem = (text: string): string =>
    [text, contentTypeProblem].filter((each) => each !== '').join('; ');
  if (httpStatus === '') {
    return broken(status('Internal', withProblem('malformed header: missing HTTP status')));
  }
  const code = atoi(httpStatus);
  if (!code.ok) {
    return broken(status('Internal', `transport: malformed http-status: ${code.error}`));
  }
  if (code.value >= 100 && code.value < 200) {
    if (!endStream) return { kind: 'ignored' };
    const what = `informational header with status code ${code.value}`;
    return broken(status('Internal', `protocol error: ${what} must not have END_STREAM set`));
  }
  const text = `unexpected HTTP status code received from server: ${code.value} (${httpStatusText(code.value)})`;
  return broken(status(codeOfHTTPStatus(code.value), withProblem(text)));
}
