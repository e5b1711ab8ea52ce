import { type ByteString, isASCII, toByteString, toText } from './byte-string.js';
import { joinHostPort, splitHostPort } from './host-port.js';

const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_N = 128;
const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A Host header in ASCII. Ports httpguts.PunycodeHostPort (golang.org/x/net/http/httpguts/httplex.go). */
export function punycodeHostPort(hostPort: ByteString): ByteString {
  if (isASCII(hostPort)) return hostPort;
  const split = splitHostPort(hostPort);
  const { host, port } = split.ok ? split.value : { host: hostPort, port: '' };
  const labels = toText(host).split('.');
  const ascii = labels.map((label) => (isASCII(label) ? label : encodeLabel(label))).join('.');
  return port === '' ? ascii : joinHostPort(ascii, toByteString(port));
}

/** Punycode and nothing else: no mapping, no lower case. Ports encode (golang.org/x/net/idna/punycode.go). */
function encodeLabel(label: string): string {
  const runes = Array.from(label, (char) => char.codePointAt(0) ?? 0);
  const basic = runes.filter((rune) => rune < INITIAL_N);
  let output = basic.length > 0 ? `${String.fromCodePoint(...basic)}-` : '';
  let delta = 0;
  let bias = INITIAL_BIAS;
  let handled = basic.length;
  for (let n = INITIAL_N; handled < runes.length; n++, delta++) {
    const next = Math.min(...runes.filter((rune) => rune >= n));
    delta += (next - n) * (handled + 1);
    n = next;
    for (const rune of runes) {
      if (rune < n) delta++;
      if (rune !== n) continue;
      output += encodeDelta(delta, bias);
      bias = adapt(delta, handled + 1, handled === basic.length);
      delta = 0;
      handled++;
    }
  }
  return `xn--${output}`;
}

function encodeDelta(delta: number, bias: number): string {
  let output = '';
  let rest = delta;
  for (let k = BASE; ; k += BASE) {
    const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX);
    if (rest < threshold) return output + DIGITS.charAt(rest);
    output += DIGITS.charAt(threshold + ((rest - threshold) % (BASE - threshold)));
    rest = Math.floor((rest - threshold) / (BASE - threshold));
  }
}

function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / points);
  let k = 0;
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN));
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW));
}
