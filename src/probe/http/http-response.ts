import type { Header } from '../../go/header.js';
import type { Body } from './body.js';

/** What kprobe uses of http.Response. */
export interface HttpResponse {
  readonly statusCode: number;
  readonly header: Header;
  /** -1 where it is not known. */
  readonly contentLength: number;
  readonly body: Body;
  /** Ends its connection. */
  readonly close: () => void;
}

/** The parts of http.Transport in which the prober's and the lifecycle hooks' clients differ. */
export interface HttpTransport {
  /** Asks for the connection's end after each response (DisableKeepAlives). */
  readonly close: boolean;
  /** Asks for gzip (not DisableCompression). */
  readonly gzip: boolean;
  /** Offers h2 over TLS. */
  readonly http2: boolean;
  /** Milliseconds (TLSHandshakeTimeout). */
  readonly handshakeTimeout: number;
}
