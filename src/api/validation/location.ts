import { TIME_ZONES } from './time-zones.js';

/** Why there is no time zone of a name, or undefined. Ports LoadLocation (Go's time/zoneinfo.go), where zones are files. */
export function locationError(name: string): string | undefined {
  if (name === '' || name === 'Local' || TIME_ZONES.has(name)) return undefined;
  if (/^[/\\]|\.\./.test(name)) return 'time: invalid location name';
  const isFolder = [...TIME_ZONES].some((zone) => zone.startsWith(`${name}/`));
  return isFolder ? 'is a directory' : `unknown time zone ${name}`;
}
