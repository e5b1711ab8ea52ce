/** A condition that a command checked: a row of its table, and a test case of its reports. */
export interface Check {
  readonly name: string;
  readonly kind: 'passed' | 'failed' | 'skipped' | 'error';
  readonly text: string;
  /** The field of a pod that the check concerns. */
  readonly place?: { readonly pod: string; readonly path: string };
  /** True when the check passed with a worse result than before. */
  readonly isWorse?: boolean;
}

export function check(name: string, isGood: boolean, text: string): Check {
  return { name, kind: isGood ? 'passed' : 'failed', text };
}

export function skipped(name: string, text: string): Check {
  return { name, kind: 'skipped', text };
}
