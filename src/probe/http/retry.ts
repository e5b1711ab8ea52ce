import { IoError } from '../io-error.js';

/** The request was not looked at: it may be sent again on another connection. */
export class RetryOnNewConn extends IoError {}
