/** `app.livenessProbe.timeoutSeconds=2`: a field of a container, or of the pod's spec, and what it is to be. */
export interface Setting {
  /** As it was written. */
  readonly text: string;
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Something against a setting. */
export interface SettingProblem {
  readonly message: string;
}

/** Reads what stands behind `--set`. */
export function parseSetting(text: string): Setting | SettingProblem {
  const match = /^([\w-]+(?:\.[\w-]+)*)=(.*)$/s.exec(text);
  if (match?.[1] === undefined || match[2] === undefined) {
    return { message: `--set ${text}: write it as app.livenessProbe.timeoutSeconds=2` };
  }
  return { text, path: match[1].split('.'), value: valueOf(match[2]) };
}

/** A number, true, false and null are what they are; everything else is a text. */
function valueOf(text: string): unknown {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
  return Object.hasOwn(words, text) ? words[text] : text;
}
