const MAX_DIGITS = 9;
const LEAST_EXPONENT = -4;
const EXPONENT_FROM = 6;

/** A number that is no integer as a key of JSON. Ports what convertToJSONableObject (sigs.k8s.io/yaml) makes of one. */
export function floatKey(value: number): string {
  if (Number.isNaN(value)) return '.nan';
  if (!Number.isFinite(Math.fround(value))) return value < 0 ? '-.inf' : '.inf';
  return formatFloat32(Math.fround(value));
}

/** Ports strconv.FormatFloat(value, 'g', -1, 32): the fewest digits that give the same float32. */
function formatFloat32(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  let text = value.toExponential(0);
  for (let digits = 1; digits < MAX_DIGITS && Math.fround(Number(text)) !== value; digits++) {
    text = value.toExponential(digits);
  }
  const [mantissa = '', power = '0'] = text.split('e');
  const exponent = Number(power);
  if (exponent >= LEAST_EXPONENT && exponent < EXPONENT_FROM) return String(Number(text));
  const sign = exponent < 0 ? '-' : '+';
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
