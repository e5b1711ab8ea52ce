import { divideAway, type Int64Amount, type Quantity } from './quantity.js';

const INT64_MAX = 2n ** 63n - 1n;
/** Digits after the point of an amount that Go does not hold in an int64, once it is rounded up to thousandths. */
const DECIMAL_DIGITS = 3;
const MILLI = -3;
const SCALED_IN_ONE_STEP = [0, 1, 2, 3, 6, 9];
const NANO_PER_MILLI = 1_000_000n;

/** Whether the amount has a part smaller than one in Go's eyes, whose int64 runs over for the largest ones. */
export function isFractional(quantity: Quantity): boolean {
  return scaledValue(quantity, MILLI) % 1000n !== 0n;
}

/** Whether Value() of one is a multiple of Value() of the other, which is more than zero. */
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
function scaledInt64({ value, scale: own }: Int64Amount, scale: number): bigint {
  if (own < scale) return divideAway(value, 10n ** BigInt(scale - own));
  const scaled = value * 10n ** BigInt(own - scale);
  const wrapped = BigInt.asIntN(64, scaled);
  // What is scaled up in one step runs over; in several steps it ends at 0.
  return wrapped === scaled || SCALED_IN_ONE_STEP.includes(own - scale) ? wrapped : 0n;
}

/** Ports scaledValue (scale_int.go), which goes up when something is left, below zero too. */
function scaleDown(unscaled: bigint, divisor: bigint): bigint {
  const value = unscaled < INT64_MAX ? lowBits(unscaled) : unscaled;
  return lowBits(value / divisor) + (value % divisor === 0n ? 0n : 1n);
}

/** Ports big.Int.Int64, which keeps the low bits. */
function lowBits(value: bigint): bigint {
  const bits = BigInt.asIntN(64, value < 0n ? -value : value);
  return value < 0n ? BigInt.asIntN(64, -bits) : bits;
}
