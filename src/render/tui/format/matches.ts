/** Whether a text has what the user wants to see; case does not matter. */
export function matches(text: string, filter: string): boolean {
  return text.toLowerCase().includes(filter.toLowerCase());
}
