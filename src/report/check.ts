/** A condition that a command checked: a row of its table, and a test case of its reports. */
export interface Check {
  readonly name: string;
  readonly kind: 'passed' | 'failed' | 'skipped' | 'error';
  readonly text: string;
}

export function check(name: string, isGood: boolean, text: string): Check {
  return { name, kind: isGood ? 'passed' : 'failed', text };
}

export function skipped(name: string, text: string): Check {
  return { name, kind: 'skipped', text };
}
