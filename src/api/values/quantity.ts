const NANO_DIGITS = 9;
const NANO = 10n ** BigInt(NANO_DIGITS);
/** The largest exponent that is computed with: no resource is that large or small, and powers of ten cost memory. */
const MAX_EXPONENT = 1000;
const INT64_MAX = 2n ** 63n - 1n;
const MAX_INT64_DIGITS = 18;
const MILLI = -3;

type Format = 'decimal' | 'binary' | 'exponent';

/** An amount in billionths, and the format to print it in. Ports resource.Quantity (apimachinery pkg/api/resource). */
export interface Quantity {
  readonly nano: bigint;
  readonly format: Format;
  /** The text, if Go considers it canonical. */
  readonly text?: string;
  /** The amount as Go holds it; absent if it is too large or has too many decimals. */
  readonly int64?: Int64Amount;
}

/** `value` times ten to the power of `scale`. */
interface Int64Amount {
  readonly value: bigint;
  readonly scale: number;
}

const ZERO: Quantity = { nano: 0n, format: 'decimal', int64: { value: 0n, scale: 0 } };

type QuantityResult =
  | { readonly kind: 'quantity'; readonly quantity: Quantity }
  | { readonly kind: 'error'; readonly message: string };

const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/;
/** Power of ten, or of two, of each suffix. */
type Suffixes = Readonly<Record<string, number>>;
const DECIMAL: Suffixes = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY: Suffixes = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

/** Ports ParseQuantity (apimachinery pkg/api/resource/quantity.go). */
export function parseQuantity(text: string): QuantityResult {
  const match = PATTERN.exec(text);
  if (text === '' || match === null) {
    const pattern = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$';
    return { kind: 'error', message: `quantities must match the regular expression '${pattern}'` };
  }
  const [, sign = '', digits = '', fraction = '', suffix = ''] = match;
  const unit = interpretSuffix(suffix);
  if (unit === undefined) return { kind: 'error', message: "unable to parse quantity's suffix" };
  const significant = digits.replace(/^0+/, '') || '0';
  const amount = int64Amount(significant, fraction, unit);
  if (amount === undefined && digits + fraction === '') {
    return { kind: 'error', message: 'unable to parse numeric part of quantity' };
  }
  const nano = toNano(BigInt(digits + fraction), fraction.length, unit);
  const kept = amount && isCanonical(significant + fraction, amount, unit) ? { text } : {};
  const magnitude: Quantity = { nano, format: unit.format, ...(amount && { int64: amount }) };
  const quantity = { ...(sign === '-' ? negate(magnitude) : magnitude), ...kept };
  return { kind: 'quantity', quantity };
}

/** Returns an amount in billionths; 0 if the text is not a quantity. */
export function nanoOf(text = '0'): bigint {
  const parsed = parseQuantity(text);
  return parsed.kind === 'quantity' ? parsed.quantity.nano : 0n;
}

function negate({ nano, format, int64 }: Quantity): Quantity {
  return { nano: -nano, format, ...(int64 && { int64: { ...int64, value: -int64.value } }) };
}

interface Unit {
  readonly format: Format;
  /** The power of ten, or of two in the binary format. */
  readonly exponent: number;
}

function interpretSuffix(suffix: string): Unit | undefined {
  const decimal = DECIMAL[suffix];
  if (decimal !== undefined) return { format: 'decimal', exponent: decimal };
  const binary = BINARY[suffix];
  if (binary !== undefined) return { format: 'binary', exponent: binary };
  const exponent = /^[eE]([-+]?\d+)$/.exec(suffix)?.[1];
  if (exponent === undefined) return undefined;
  const clamped = Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, Number(exponent)));
  return { format: 'exponent', exponent: clamped };
}

/** Divides and rounds away from zero, as Go's quantities do. */
function divideAway(value: bigint, divisor: bigint): bigint {
  const step = value < 0n ? -1n : 1n;
  return value / divisor + (value % divisor === 0n ? 0n : step);
}

/** Rounds up to a billionth, and limits amounts in the binary format to an int64. */
function toNano(unscaled: bigint, decimals: number, unit: Unit): bigint {
  const power = unit.format === 'binary' ? 1n << BigInt(unit.exponent) : 1n;
  const scale = (unit.format === 'binary' ? 0 : unit.exponent) - decimals + NANO_DIGITS;
  const value = unscaled * power;
  const nano = scale >= 0 ? value * 10n ** BigInt(scale) : divideAway(value, 10n ** BigInt(-scale));
  return unit.format === 'binary' && nano > INT64_MAX * NANO ? INT64_MAX * NANO : nano;
}

/** The fast path of ParseQuantity: an amount with few enough digits is held in an int64. */
function int64Amount(digits: string, fraction: string, unit: Unit): Int64Amount | undefined {
  const value = BigInt(digits + fraction);
  if (unit.format === 'binary') {
    const precision = 15 - digits.length - Math.trunc((unit.exponent * 3) / 10) - 1;
    if (fraction !== '' || precision < 0) return undefined;
    return { value: value << BigInt(unit.exponent), scale: 0 };
  }
  const scale = unit.exponent - fraction.length;
  const fits = digits.length + fraction.length <= MAX_INT64_DIGITS && scale >= -NANO_DIGITS;
  return fits ? { value, scale } : undefined;
}

/** Returns true if ParseQuantity keeps the text, so that String returns it unchanged. */
function isCanonical(shifted: string, { scale }: Int64Amount, unit: Unit): boolean {
  if (unit.format === 'binary') return (BigInt(shifted) & 7n) !== 0n;
  return scale % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
}

/** Ports Quantity.RoundUp to thousandths, which SetDefaults_ResourceList does. */
export function roundUpToMilli(quantity: Quantity): Quantity {
  const { nano, format, int64 } = quantity;
  const step = NANO / 1000n;
  if (nano % step === 0n) return quantity;
  const rounded = divideAway(nano, step) * step;
  return {
    nano: rounded,
    format,
    ...(int64 && { int64: { value: rounded / step, scale: MILLI } }),
  };
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
  return `${rest}${['', ...Object.keys(BINARY)][thousands] ?? ''}`;
}

function formatDecimal(nano: bigint, format: 'decimal' | 'exponent'): string {
  let rest = nano;
  let exponent = -NANO_DIGITS;
  while (rest % 1000n === 0n) {
    rest /= 1000n;
    exponent += 3;
  }
  if (format === 'exponent') return exponent === 0 ? String(rest) : `${rest}e${exponent}`;
  // Go writes no suffix for amounts beyond the largest one.
  const suffix = Object.entries(DECIMAL).find(([, each]) => each === exponent)?.[0] ?? '';
  return `${rest}${suffix}`;
}

/** Returns a quantity as the server stores it, rounded up to thousandths; zero for a text that decoding rejected. */
export function storedQuantity(text: string): Quantity {
  const parsed = parseQuantity(text);
  if (parsed.kind === 'error') return ZERO;
  return roundUpToMilli(parsed.quantity);
}

/** Decimals of an amount that is rounded up to thousandths and too large for Go's int64. */
const DECIMAL_DIGITS = 3;
const SCALED_IN_ONE_STEP = [0, 1, 2, 3, 6, 9];
const NANO_PER_MILLI = 1_000_000n;

/** Returns true for a fraction; the largest amounts overflow Go's int64. */
export function isFractional(quantity: Quantity): boolean {
  return scaledValue(quantity, MILLI) % 1000n !== 0n;
}

/** Returns true if Go's Value() of a quantity is a multiple of that of a unit above zero. */
export function isMultipleOf(quantity: Quantity, unit: Quantity): boolean {
  const size = scaledValue(unit, 0);
  return unit.nano > 0n && size !== 0n && scaledValue(quantity, 0) % size === 0n;
}

/** Ports Quantity.ScaledValue (apimachinery pkg/api/resource/quantity.go) for amounts that are rounded to thousandths. */
function scaledValue(quantity: Quantity, scale: number): bigint {
  if (quantity.int64 !== undefined) return scaledInt64(quantity.int64, scale);
  const unscaled = quantity.nano / NANO_PER_MILLI;
  const digits = DECIMAL_DIGITS + scale;
  return digits === 0 ? lowBits(unscaled) : scaleDown(unscaled, 10n ** BigInt(digits));
}

/** Ports AsScaledInt64 (amount.go): rounded away from zero when it is scaled down. */
function scaledInt64({ value, scale: valueScale }: Int64Amount, scale: number): bigint {
  if (valueScale < scale) return divideAway(value, 10n ** BigInt(scale - valueScale));
  const scaled = value * 10n ** BigInt(valueScale - scale);
  const wrapped = BigInt.asIntN(64, scaled);
  // Scaling up overflows in one multiplication; in several it ends at 0.
  return wrapped === scaled || SCALED_IN_ONE_STEP.includes(valueScale - scale) ? wrapped : 0n;
}

/** Ports scaledValue (scale_int.go), which rounds up, also below zero. */
function scaleDown(unscaled: bigint, divisor: bigint): bigint {
  const value = unscaled < INT64_MAX ? lowBits(unscaled) : unscaled;
  return lowBits(value / divisor) + (value % divisor === 0n ? 0n : 1n);
}

/** Ports big.Int.Int64, which keeps the low bits. */
function lowBits(value: bigint): bigint {
  const bits = BigInt.asIntN(64, value < 0n ? -value : value);
  return value < 0n ? BigInt.asIntN(64, -bits) : bits;
}
