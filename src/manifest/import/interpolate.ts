/** Returns the value of a variable, or undefined when it is not set. */
export type Variables = (name: string) => string | undefined;

const PATTERN = /\$(?:(\$)|([_a-z]\w*)|\{(?:[_a-z]\w*(?::?[-+?][^\n]*)?\})?)/gi;
const BRACED = /^\$\{(\w+)(?:(:?[-+?])(.*))?\}$/;

/** Puts values in place of `$NAME` and `${NAME:-word}`. Ports template.SubstituteWithOptions (compose-go v2.16). */
export class Interpolation {
  /** Variables without a value and without a default. */
  readonly unset = new Set<string>();
  error: string | undefined;
  readonly #variables: Variables;

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  substitute(text: string): string {
    return text.replace(PATTERN, (match, escaped?: string, named?: string) => {
      if (escaped !== undefined) return escaped;
      if (named !== undefined) return this.#expand(named);
      // The match extends to the last brace of the line; this reference ends at its own.
      const end = closingBrace(match);
      const [, name, operator, word] = BRACED.exec(match.slice(0, end)) ?? [];
      if (name !== undefined)
        return this.#expand(name, operator, word) + this.substitute(match.slice(end));
      this.error ??= `"${text}" is not a valid use of a variable; $$ is a dollar sign`;
      return '';
    });
  }

  #expand(name: string, operator = '', word = ''): string {
    const value = this.#variables(name);
    const isGiven = value !== undefined && !(value === '' && operator.startsWith(':'));
    if (operator.endsWith('+')) return isGiven ? this.substitute(word) : '';
    if (isGiven) return value;
    if (operator.endsWith('-')) return this.substitute(word);
    if (operator === '') {
      this.unset.add(name);
      return '';
    }
    const reason = this.substitute(word);
    this.error ??= `the required variable ${name} has no value${reason && `: ${reason}`}`;
    return '';
  }
}

/** Returns the offset after the brace that closes the first one; the character after an opening brace does not count. */
function closingBrace(text: string): number {
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') {
      open++;
      at++;
    } else if (text[at] === '}' && --open === 0) return at + 1;
  }
  return text.length;
}
