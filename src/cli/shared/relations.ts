import { optionOf, UsageError } from '../../usage-error.js';

/** An option, or a command after `--`. */
type Name<Flags> = (keyof Flags & string) | '--';

/** Relations between the options of a command, beside the conflicts that commander checks. */
export interface Relations<Flags> {
  /** Options by the option that needs one of them. */
  readonly requires?: { readonly [F in Name<Flags>]?: readonly Name<Flags>[] };
  /** Values of `--output` by the option that allows only these. */
  readonly outputs?: { readonly [F in keyof Flags]?: readonly string[] };
}

/** Throws a UsageError for an option that does nothing without another one, or with this `--output`. */
export function checkRelations<Flags extends object>(
  { requires = {}, outputs = {} }: Relations<Flags>,
  flags: Flags,
  commandLine: readonly string[] | undefined,
): void {
  const given: Readonly<Record<string, unknown>> = { ...flags, '--': commandLine };
  const { output } = given;
  for (const [name, needed] of Object.entries(requires) as [string, readonly string[]][]) {
    if (given[name] === undefined || needed.some((other) => given[other] !== undefined)) continue;
    throw new UsageError(`${nameOf(name)} needs ${needed.map(nameOf).join(' or ')}`);
  }
  for (const [name, allowed] of Object.entries(outputs) as [string, readonly string[]][]) {
    if (given[name] === undefined || typeof output !== 'string' || allowed.includes(output))
      continue;
    throw new UsageError(
      `${optionOf(name)} cannot be combined with -o ${output}: use -o ${allowed.join(' or -o ')}`,
    );
  }
}

function nameOf(name: string): string {
  return name === '--' ? 'a command after --' : optionOf(name);
}
