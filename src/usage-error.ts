/** A mistake of the user: the message says what is wrong and what to do. Ends with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Returns `--allow-host-path` for `allowHostPath`. */
export function optionOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
