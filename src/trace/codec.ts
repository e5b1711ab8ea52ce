import type { AttemptDetail } from '../kubelet/ports.js';
import { apiPodStatus } from '../kubelet/status/api-status.js';
import type { TraceRecord } from './trace-record.js';

/** A line of a trace as NDJSON, without its line break. */
export function encodeLine(line: TraceRecord): string {
  if (line.kind === 'status') {
    return JSON.stringify({ ...line, podStatus: apiPodStatus(line.podStatus) });
  }
  if (line.kind === 'attemptDone' && line.detail !== undefined) {
    return JSON.stringify({ ...line, detail: plainDetail(line.detail) });
  }
  return JSON.stringify(line);
}

/** The body is text where it is UTF-8, and base64 where it is not. */
function plainDetail(detail: AttemptDetail): object {
  const { body, ...rest } = detail;
  if (body === undefined) return rest;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  return text.includes('\uFFFD') ? { ...rest, bodyB64: base64(body) } : { ...rest, body: text };
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}
