/** Division that rounds away from zero, as Go's quantities do: who asks for a little gets something. */
export function divideAway(value: bigint, divisor: bigint): bigint {
  const step = value < 0n ? -1n : 1n;
  return value / divisor + (value % divisor === 0n ? 0n : step);
}
