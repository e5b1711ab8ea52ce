import { ByteCursor } from './byte-cursor.js';
import { localError } from './tls-alert.js';
import { restExtensions } from './tls-extensions.js';

interface Message {
  readonly name: string;
  readonly isValid: (body: Buffer) => boolean;
}

const isEmpty = (body: Buffer): boolean => body.length === 0;
const always = (): boolean => true;

/** Handshake messages that Go knows but does not expect first (crypto/tls/handshake_messages.go). */
const MESSAGES: Readonly<Record<number, Message>> = {
  0: { name: 'helloRequestMsg', isValid: isEmpty },
  1: { name: 'clientHelloMsg', isValid: isClientHello },
  4: { name: 'newSessionTicketMsg', isValid: isNewSessionTicket },
  5: { name: 'endOfEarlyDataMsg', isValid: isEmpty },
  8: { name: 'encryptedExtensionsMsg', isValid: isEncryptedExtensions },
  11: { name: 'certificateMsg', isValid: isCertificate },
  12: { name: 'serverKeyExchangeMsg', isValid: always },
  13: { name: 'certificateRequestMsg', isValid: isCertificateRequest },
  14: { name: 'serverHelloDoneMsg', isValid: isEmpty },
  15: { name: 'certificateVerifyMsg', isValid: isCertificateVerify },
  16: { name: 'clientKeyExchangeMsg', isValid: always },
  20: { name: 'finishedMsg', isValid: always },
  22: { name: 'certificateStatusMsg', isValid: isCertificateStatus },
  24: { name: 'keyUpdateMsg', isValid: isKeyUpdate },
};

/** What Go says of a message in place of the ServerHello. Ports unmarshalHandshakeMessage (crypto/tls/conn.go). */
export function unexpectedMessage(type: number, body: Buffer): string {
  const message = MESSAGES[type];
  if (!message) return localError(10);
  if (!message.isValid(body)) return localError(50);
  return `tls: received unexpected handshake message of type *tls.${message.name} when waiting for *tls.serverHelloMsg`;
}

/** What its extensions say is not looked at. */
function isClientHello(body: Buffer): boolean {
  const cursor = new ByteCursor(body);
  const isWhole = cursor.take(34) && cursor.prefixed(1);
  const suites = cursor.prefixed(2);
  if (!isWhole || !suites || suites.length % 2 !== 0 || !cursor.prefixed(1)) return false;
  return restExtensions(cursor) !== undefined;
}

function isNewSessionTicket(body: Buffer): boolean {
  return body.length >= 6 && body.readUInt16BE(4) === body.length - 6;
}

function isEncryptedExtensions(body: Buffer): boolean {
  return body.length > 0 && restExtensions(new ByteCursor(body)) !== undefined;
}

function isCertificate(body: Buffer): boolean {
  const cursor = new ByteCursor(body);
  const list = cursor.prefixed(3);
  if (!list || !cursor.isEmpty()) return false;
  const certificates = new ByteCursor(list);
  while (!certificates.isEmpty()) {
    const certificate = certificates.prefixed(3);
    // Go wants at least four bytes for each.
    if (!certificate || (certificate.length === 0 && certificates.isEmpty())) return false;
  }
  return true;
}

/** As before TLS 1.2: without signature algorithms. */
function isCertificateRequest(body: Buffer): boolean {
  const cursor = new ByteCursor(body);
  const types = cursor.prefixed(1);
  const authorities = cursor.prefixed(2);
  if (!types || types.length === 0 || !authorities || !cursor.isEmpty()) return false;
  const names = new ByteCursor(authorities);
  while (!names.isEmpty()) if (!names.prefixed(2)) return false;
  return true;
}

/** As before TLS 1.2: without an algorithm. */
function isCertificateVerify(body: Buffer): boolean {
  const cursor = new ByteCursor(body);
  return cursor.prefixed(2) !== undefined && cursor.isEmpty();
}

function isCertificateStatus(body: Buffer): boolean {
  const cursor = new ByteCursor(body);
  const type = cursor.uint(1);
  const response = cursor.prefixed(3);
  return type === 1 && response !== undefined && response.length > 0 && cursor.isEmpty();
}

function isKeyUpdate(body: Buffer): boolean {
  return body.length === 1 && (body[0] === 0 || body[0] === 1);
}
