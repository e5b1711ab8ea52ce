/** The servers of a case file, in the form of the probe oracle's README. */
export type ByteSpec =
  | string
  | { readonly b64: string }
  | { readonly repeat: string; readonly count: number }
  | readonly ByteSpec[];

export type ListenHost = '127.0.0.1' | '::1' | 'localhost';

export interface ServerSpec {
  readonly listen?: ListenHost;
  readonly mode: 'http' | 'script' | 'grpc' | 'h2' | 'unlistened' | 'noAccept' | 'backlogFull';
  readonly tls?: TlsSpec;
  readonly routes?: Readonly<Record<string, Reply | readonly Reply[]>>;
  readonly script?: readonly Step[];
  /** One script for each connection; the last repeats. */
  readonly scripts?: readonly (readonly Step[])[];
  readonly grpc?: GrpcSpec;
  readonly h2?: H2Spec;
  readonly h2routes?: Readonly<Record<string, H2Reply | readonly H2Reply[]>>;
}

type TlsVersion = '1.0' | '1.1' | '1.2' | '1.3';

export interface TlsSpec {
  readonly cert?: CertKind;
  readonly alpn?: readonly string[];
  readonly min?: TlsVersion;
  readonly max?: TlsVersion;
  readonly clientCert?: boolean;
}

export type CertKind = 'selfSigned' | 'expired' | 'notYetValid' | 'wrongName';

export type End = 'close' | 'fin' | 'rst' | 'hold' | 'keepOpen';

/** One HTTP/1 response. */
export interface Reply {
  /** Everything up to the body, as it is. */
  readonly raw?: ByteSpec;
  readonly version?: string;
  readonly status?: string;
  readonly interim?: readonly string[];
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: ByteSpec;
  readonly gzip?: boolean;
  /** The body is the request's head as it came. */
  readonly echo?: boolean;
  readonly framing?: 'length' | 'chunked' | 'close' | 'none';
  readonly contentLength?: string;
  readonly delayMs?: number;
  readonly bodyDelayMs?: number;
  readonly drip?: { readonly bytes: number; readonly everyMs: number };
  readonly endless?: boolean;
  readonly end?: End;
  readonly endDelayMs?: number;
}

/** One action of a raw script. */
export interface Step {
  readonly do:
    | 'readHead'
    | 'read'
    | 'write'
    | 'drip'
    | 'endless'
    | 'sleep'
    | 'drain'
    | 'close'
    | 'fin'
    | 'rst'
    | 'hold';
  readonly bytes?: number;
  readonly data?: ByteSpec;
  readonly everyMs?: number;
  readonly ms?: number;
}

export type ServingStatus = 'SERVING' | 'NOT_SERVING' | 'UNKNOWN' | 'SERVICE_UNKNOWN';

export interface GrpcSpec {
  readonly services?: Readonly<Record<string, ServingStatus>>;
  readonly unimplemented?: boolean;
  readonly delayMs?: number;
  readonly code?: string;
  readonly message?: string;
}

export interface H2Spec {
  readonly noSettings?: boolean;
  readonly settings?: readonly (readonly [number, number])[];
  readonly goaway?: Goaway;
  readonly delayMs?: number;
}

export interface H2Reply {
  readonly headers?: readonly (readonly [string, string])[];
  readonly data?: ByteSpec;
  readonly trailers?: readonly (readonly [string, string])[];
  readonly noEnd?: boolean;
  readonly delayMs?: number;
  readonly rst?: string;
  readonly goaway?: Goaway;
  readonly end?: End;
}

export interface Goaway {
  readonly code: string;
  readonly debug?: string;
  readonly lastStream?: number;
}

/** The bytes of a byte string. */
export function bytesOfSpec(spec: ByteSpec | undefined): Buffer {
  if (spec === undefined) return Buffer.alloc(0);
  if (typeof spec === 'string') return Buffer.from(spec);
  if (isList(spec)) return Buffer.concat(spec.map(bytesOfSpec));
  if ('b64' in spec) return Buffer.from(spec.b64, 'base64');
  return Buffer.from(spec.repeat.repeat(spec.count));
}

function isList(spec: ByteSpec): spec is readonly ByteSpec[] {
  return Array.isArray(spec);
}
