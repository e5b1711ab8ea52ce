/** A time, in milliseconds since the epoch, as the API writes it: in whole seconds, UTC. */
export function rfc3339(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}
