const NANO_DIGITS = 9;
const NANO = 10n ** BigInt(NANO_DIGITS);
/** Exponents beyond this are taken as this: no resource is that large or small, and powers cost memory. */
const MAX_EXPONENT = 1000;
const INT64_MAX = 2n ** 63n - 1n;

type Format = 'decimal' | 'binary' | 'exponent';

/** An amount in billionths, and how it wants to be written. Ports resource.Quantity (apimachinery pkg/api/resource). */
export interface Quantity {
  readonly nano: bigint;
  readonly format: Format;
  /** The text, when it was canonical already in Go's eyes. */
  readonly text?: string;
}

export type QuantityResult =
  | { readonly kind: 'quantity'; readonly quantity: Quantity }
  | { readonly kind: 'error'; readonly message: string };

const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/;
const DECIMAL_SUFFIXES: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARY_SUFFIXES: Readonly<Record<string, number>> = {
  Ki: 10,
  Mi: 20,
  Gi: 30,
  Ti: 40,
  Pi: 50,
  Ei: 60,
};

/** Ports ParseQuantity (apimachinery pkg/api/resource/quantity.go). */
export function parseQuantity(text: string): QuantityResult {
  const match = PATTERN.exec(text);
  if (text === '' || match === null) {
    const pattern = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$';
    return { kind: 'error', message: `quantities must match the regular expression '${pattern}'` };
  }
  const [, sign = '', digits = '', fraction = '', suffix = ''] = match;
  const unit = interpretSuffix(suffix);
  if (unit === undefined) {
    return { kind: 'error', message: "unable to parse quantity's suffix" };
  }
  const magnitude = toNano(BigInt(digits + fraction), fraction.length, unit);
  const capped =
    unit.format === 'binary' && magnitude > INT64_MAX * NANO ? INT64_MAX * NANO : magnitude;
  const nano = sign === '-' ? -capped : capped;
  const canonical = isCanonical(digits.replace(/^0+/, '') || '0', fraction, unit);
  return {
    kind: 'quantity',
    quantity: { nano, format: unit.format, ...(canonical && { text }) },
  };
}

interface Unit {
  readonly format: Format;
  /** Of ten, or of two for the binary format. */
  readonly exponent: number;
}

function interpretSuffix(suffix: string): Unit | undefined {
  const decimal = DECIMAL_SUFFIXES[suffix];
  if (decimal !== undefined) return { format: 'decimal', exponent: decimal };
  const binary = BINARY_SUFFIXES[suffix];
  if (binary !== undefined) return { format: 'binary', exponent: binary };
  const exponent = /^[eE]([-+]?\d+)$/.exec(suffix)?.[1];
  if (exponent === undefined) return undefined;
  const clamped = Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, Number(exponent)));
  return { format: 'exponent', exponent: clamped };
}

/** Rounds away from zero, as Go does: who asks for a little gets something. */
function toNano(unscaled: bigint, decimals: number, unit: Unit): bigint {
  const power = unit.format === 'binary' ? 1n << BigInt(unit.exponent) : 1n;
  const scale = (unit.format === 'binary' ? 0 : unit.exponent) - decimals + NANO_DIGITS;
  const value = unscaled * power;
  if (scale >= 0) return value * 10n ** BigInt(scale);
  return divideUp(value, 10n ** BigInt(-scale));
}

function divideUp(value: bigint, divisor: bigint): bigint {
  return value / divisor + (value % divisor === 0n ? 0n : 1n);
}

/** Whether ParseQuantity keeps the text, which String then gives back. */
function isCanonical(digits: string, fraction: string, unit: Unit): boolean {
  const shifted = digits + fraction;
  if (unit.format === 'binary') {
    const precision = 15 - digits.length - Math.trunc((unit.exponent * 3) / 10) - 1;
    return fraction === '' && precision >= 0 && (BigInt(shifted) & 7n) !== 0n;
  }
  const scale = unit.exponent - fraction.length;
  if (18 - shifted.length < 0 || scale < -NANO_DIGITS) return false;
  return scale % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
}

/** Ports Quantity.RoundUp to thousandths, which SetDefaults_ResourceList does. */
export function roundUpToMilli(quantity: Quantity): Quantity {
  const step = NANO / 1000n;
  if (quantity.nano % step === 0n) return quantity;
  const magnitude = quantity.nano < 0n ? -quantity.nano : quantity.nano;
  const rounded = divideUp(magnitude, step) * step;
  return { nano: quantity.nano < 0n ? -rounded : rounded, format: quantity.format };
}

/** Ports Quantity.String. */
export function formatQuantity(quantity: Quantity): string {
  const { nano, format, text } = quantity;
  if (text !== undefined) return text;
  if (nano === 0n) return '0';
  const whole = nano % NANO === 0n;
  const small = nano > -1024n * NANO && nano < 1024n * NANO;
  if (format === 'binary' && whole && !small) return formatBinary(nano / NANO);
  return formatDecimal(nano, format === 'exponent' ? 'exponent' : 'decimal');
}

function formatBinary(value: bigint): string {
  let rest = value;
  let thousands = 0;
  while (rest % 1024n === 0n && thousands < 6) {
    rest /= 1024n;
    thousands++;
  }
  return `${rest}${['', ...Object.keys(BINARY_SUFFIXES)][thousands] ?? ''}`;
}

function formatDecimal(nano: bigint, format: 'decimal' | 'exponent'): string {
  let rest = nano;
  let exponent = -NANO_DIGITS;
  while (rest % 1000n === 0n && (format === 'exponent' || exponent < 18)) {
    rest /= 1000n;
    exponent += 3;
  }
  if (format === 'exponent') return exponent === 0 ? String(rest) : `${rest}e${exponent}`;
  const suffix = Object.entries(DECIMAL_SUFFIXES).find(([, each]) => each === exponent)?.[0] ?? '';
  return `${rest}${suffix}`;
}

/** Whether the amount has a part that is smaller than one. */
export function isFractional(quantity: Quantity): boolean {
  // MilliValue rounds up, so that what is below a thousandth counts as one.
  return quantity.nano % NANO !== 0n;
}

/** A quantity as it is stored: rounded up to thousandths. Zero for what decoding has refused already. */
export function storedQuantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if (parsed.kind === 'error') return { nano: 0n, format: 'decimal' };
  return roundUpToMilli(parsed.quantity);
}
