import type { AddedHeaders } from '../../go/http/request.js';
import type { Response } from '../../go/http/response.js';
import { IoError } from '../../go/io-error.js';

/** The part of http.Response that probes and hooks use. */
export type HttpResponse = Pick<Response, 'statusCode' | 'header' | 'contentLength' | 'body'> & {
  readonly close: () => void;
};

/** The settings of http.Transport in which the prober's and the lifecycle hooks' clients differ. */
export interface HttpTransport extends AddedHeaders {
  /** Offers h2 over TLS. */
  readonly http2: boolean;
  /** Sends HTTP/2 without TLS, by prior knowledge. */
  readonly h2c?: true;
  /** Milliseconds (TLSHandshakeTimeout). */
  readonly handshakeTimeout: number;
}

/** The server did not process the request: it may be sent again on another connection. */
export class RetryOnNewConn extends IoError {}
