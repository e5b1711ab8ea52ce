import { toText } from '../../go/byte-string.js';
import { quote } from '../../go/quote.js';
import { IoError } from '../io-error.js';
import { errorName } from './error-code.js';

export interface GoAway {
  readonly lastStreamID: number;
  readonly code: number;
  readonly debug: Buffer;
}

/** The server is about to end the connection and has not looked at the request. Ports errClientConnGotGoAway. */
export class GracefulGoAway extends IoError {
  constructor() {
    super("http2: Transport received Server's graceful shutdown GOAWAY");
  }
}

/** Ports GoAwayError.Error (golang.org/x/net/http2/transport.go). */
export function goAwayError({ lastStreamID, code, debug }: GoAway): IoError {
  const shown = toText(quote(debug.toString('latin1')));
  return new IoError(
    `http2: server sent GOAWAY and closed the connection; LastStreamID=${lastStreamID}, ErrCode=${errorName(code)}, debug=${shown}`,
  );
}
