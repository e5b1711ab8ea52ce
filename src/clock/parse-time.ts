const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(\.\d+)?\s*(Z|[+-]\d\d:?\d\d)?/;

/** A time as container engines print it, in milliseconds since the epoch; undefined of Go's zero time and of what is none. */
export function parseTime(text: string): number | undefined {
  const match = TIME.exec(text);
  if (match === null || text.startsWith('0001-')) return undefined;
  const [, date = '', time = '', fraction = '.0', zone = 'Z'] = match;
  const whole = Date.parse(`${date}T${time}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(whole) ? undefined : whole + Number(`0${fraction}`) * 1000;
}
