import { ownField, type PodSpec } from '../api/index.js';
import type { Setting } from './parse-setting.js';
import { containerOf } from './setting-target.js';

/** Of each setting that leaves its field to the API server's default, what that is. */
export function settingNotes(settings: readonly Setting[], spec: PodSpec): readonly string[] {
  return settings.flatMap(({ text, path, value }) => {
    if (value !== 0 && value !== null) return [];
    const now = valueAt(spec, path);
    if (now === value || (typeof now !== 'number' && typeof now !== 'string')) return [];
    const why = value === 0 ? '0 is taken as not set; it is' : 'it is';
    return [`--set ${text}: ${why} ${now}, the default`];
  });
}

function valueAt(spec: PodSpec, path: readonly string[]): unknown {
  const container = containerOf(spec, path);
  const steps = container === undefined ? path : path.slice(1);
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null
        ? ownField(value as Readonly<Record<string, unknown>>, step)
        : undefined,
    container ?? spec,
  );
}
