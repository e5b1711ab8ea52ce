import type { EnvVar } from '../../api/index.js';

/**
 * Replaces `$(NAME)` by the container's static variables; what is not defined stays, `$$` becomes
 * `$`. A variable with `valueFrom` counts as empty. Ports ExpandContainerCommandOnlyStatic
 * (pkg/kubelet/container/helpers.go).
 */
export function expandContainerCommandOnlyStatic(
  command: readonly string[],
  env: readonly EnvVar[] = [],
): readonly string[] {
  if (!command.some((word) => word.includes('$'))) return command;
  const values = new Map(env.map(({ name, value }) => [name, value ?? '']));
  return command.map((word) => expand(word, (name) => values.get(name) ?? `$(${name})`));
}

/** Ports Expand (third_party/forked/golang/expansion/expand.go). */
export function expand(input: string, mapping: (name: string) => string): string {
  let out = '';
  let checkpoint = 0;
  for (let cursor = input.indexOf('$'); cursor !== -1 && cursor + 1 < input.length;) {
    const { text, advance } = readReference(input.slice(cursor + 1), mapping);
    out += input.slice(checkpoint, cursor) + text;
    checkpoint = cursor + 1 + advance;
    cursor = input.indexOf('$', checkpoint);
  }
  return out + input.slice(checkpoint);
}

/** Returns the variable after a `$` and the characters that it takes. Ports tryReadVariableName (expand.go). */
function readReference(
  rest: string,
  mapping: (name: string) => string,
): { readonly text: string; readonly advance: number } {
  if (rest.startsWith('$')) return { text: '$', advance: 1 };
  if (!rest.startsWith('(')) {
    const [char = ''] = rest;
    return { text: `$${char}`, advance: char.length };
  }
  const close = rest.indexOf(')');
  if (close === -1) return { text: '$(', advance: 1 };
  return { text: mapping(rest.slice(1, close)), advance: close + 1 };
}
