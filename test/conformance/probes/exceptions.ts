/** Cases in which kprobe differs from the kubelet, and why; docs/internals/fidelity.md lists them too. */
interface Exception {
  readonly reason: string;
  /** `result`: the result is the kubelet's; texts, requests or tries differ. `nothing`: the result differs. */
  readonly holds: 'result' | 'nothing';
  readonly cases: readonly string[];
}

export const EXCEPTIONS: readonly Exception[] = [
  {
    reason: 'node:http2 rejects malformed headers without saying what is wrong with them',
    holds: 'result',
    cases: [
      ...['h2r-06', 'h2r-16', 'h2r-18', 'h2r-22', 'h2r-28', 'h2r-36', 'grpc-21', 'grpc-59'],
      ...['mh2-21-6', 'mh2-21-10', 'mh2-21-28', 'mh2-21-206', 'mh2-21-261', 'mh2-21-266'],
      ...['mh2-21-282', 'mh2-21-287', 'mgrpc-21-16', 'mgrpc-21-26', 'mgrpc-21-134'],
      ...['mgrpc-21-243', 'mgrpc-21-244'],
    ],
  },
  {
    reason: 'node:http2 rejects a status that is not three digits from 100 to 999',
    holds: 'result',
    cases: ['h2r-08', 'h2r-10', 'mh2-21-46', 'mtls-23-4'],
  },
  {
    reason: 'node:http2 rejects data after an interim response',
    holds: 'result',
    cases: ['mgrpc-21-35', 'mgrpc-21-115'],
  },
  {
    reason:
      'node:http2 rejects a body that is shorter than its Content-Length, sometimes with its headers',
    holds: 'result',
    cases: ['h2r-30', 'mh2-21-165', 'mh2-21-267'],
  },
  {
    reason: 'node:http2 rejects an Upgrade header, where Go goes on to invalid trailers',
    holds: 'result',
    cases: ['mh2-21-95'],
  },
  {
    reason: 'node:http2 sends no TE header but `trailers`',
    holds: 'result',
    cases: ['mhdrs-21-190'],
  },
  {
    reason: 'Go says `unexpected EOF` when its writer is told of the reset first',
    holds: 'result',
    cases: ['h2r-42'],
  },
  {
    reason:
      'node:http2 rejects what Go accepts: a body after status 204 or 304, an invalid Content-Length, a Connection header',
    holds: 'nothing',
    cases: ['h2r-02', 'mtls-21-158', 'h2r-20', 'mh2-21-52'],
  },
  {
    reason:
      'node:http2 skips what Go rejects: a header with an empty name, or with a control character in its value',
    holds: 'nothing',
    cases: ['h2r-24', 'h2r-26'],
  },
  {
    reason: 'OpenSSL does not name an alert that it does not know',
    holds: 'result',
    cases: ['tls-05', 'tls-29'],
  },
  {
    reason:
      'OpenSSL words malformed records otherwise: a short ServerHello, an empty handshake record, half an alert, a lone warning',
    holds: 'result',
    cases: ['tls-33', 'tls-39', 'tls-43', 'tls-45'],
  },
];

const HOLDS = new Map(EXCEPTIONS.flatMap(({ cases, holds }) => cases.map((id) => [id, holds])));

/** Returns whether a case has to agree in a field. */
export function mustAgree(id: string, field: string): boolean {
  const holds = HOLDS.get(id);
  if (holds === undefined) return true;
  return holds === 'result' && (field === 'result' || field === 'kubeletResult');
}
