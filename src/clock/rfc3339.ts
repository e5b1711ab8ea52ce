/** Formats a time in milliseconds since the epoch as the API writes it: in whole seconds, UTC. */
export function rfc3339(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?/;

/** Parses a time as container engines and the API print it; undefined for Go's zero time and for anything else. */
export function parseTime(text: string): number | undefined {
  const match = TIME.exec(text);
  if (match === null || text.startsWith('0001-')) return undefined;
  const [, date = '', time = '', fraction = '.0', zone = 'Z'] = match;
  const whole = Date.parse(`${date}T${time}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(whole) ? undefined : whole + Number(`0${fraction}`) * 1000;
}

/** Parses a time of a certificate, such as `Nov 22 14:00:00 2027 GMT`. */
export function parseCertificateTime(text: string): number {
  return Date.parse(text);
}
