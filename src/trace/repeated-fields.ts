/** A line, or its detail, as it is written. */
export type Fields = Readonly<Record<string, unknown>>;

/** Fields that the lines of a probe repeat. */
interface Known {
  /** The last attempt that began. */
  containerID?: unknown;
  /** The last attempt whose detail was written whole. */
  attempt?: unknown;
  detail?: Fields;
}

/** The Date header of a response, with the line break and the name before it. */
const DATE = /(\r\ndate: )([^\r\n]*)/i;

/** Leaves out of a trace what attempts repeat, and adds it again. A reader meets the lines in the order of their writing. */
export class RepeatedFields {
  readonly #probes = new Map<string, Known>();

  /** Returns a line without what repeats. */
  omit(line: Fields): Fields {
    const known = this.#known(line);
    if (known === undefined || line['kind'] === 'attempt') return line;
    const { containerID, attempt, detail } = line;
    const kept = containerID === known.containerID ? { ...line, containerID: undefined } : line;
    if (detail === undefined) return kept;
    const short = known.detail && shortened(detail as Fields, known.detail, known.attempt);
    if (short !== undefined) return { ...kept, detail: short };
    Object.assign(known, { attempt, detail });
    return kept;
  }

  /** Returns a line with what `omit` has left out. A detail that repeats one that was not read is lost. */
  complete(line: Fields): Fields {
    const known = this.#known(line);
    if (known === undefined || line['kind'] === 'attempt') return line;
    const { attempt, detail, ...others } = line;
    const whole = { containerID: known.containerID, ...line };
    if (typeof detail !== 'object' || detail === null) return whole;
    if (!('sameAs' in detail)) {
      Object.assign(known, { attempt, detail });
      return whole;
    }
    const { sameAs, date, ...changed } = detail as Fields;
    const same = known.attempt === sameAs ? known.detail : undefined;
    if (same === undefined) return { containerID: known.containerID, attempt, ...others };
    return { ...whole, detail: { ...dated(same, date), ...changed } };
  }

  #known(line: Fields): Known | undefined {
    const { kind, pod, container, probe, containerID } = line;
    if (kind !== 'attempt' && kind !== 'attemptDone') return undefined;
    const key = `${String(pod)} ${String(container)} ${String(probe)}`;
    const known = this.#probes.get(key) ?? {};
    this.#probes.set(key, known);
    if (kind === 'attempt') known.containerID = containerID;
    return known;
  }
}

/** Returns a detail without its repeated fields; undefined where they are less than half of it. */
function shortened(detail: Fields, before: Fields, sameAs: unknown): Fields | undefined {
  if (Object.keys(before).some((name) => !(name in detail))) return undefined;
  const date = DATE.exec(String(detail['response']))?.[2];
  const same = dated(before, date);
  let [repeated, written] = [0, 0];
  const changed: Record<string, unknown> = { sameAs };
  if (date !== undefined && detail['response'] === same['response']) changed['date'] = date;
  for (const [name, value] of Object.entries(detail)) {
    if (value === (name === 'response' ? same : before)[name]) repeated += String(value).length;
    else {
      changed[name] = value;
      written += String(value).length;
    }
  }
  return repeated > written ? changed : undefined;
}

/** Returns a detail whose response has another date. */
function dated(detail: Fields, date: unknown): Fields {
  const { response } = detail;
  if (typeof response !== 'string' || typeof date !== 'string') return detail;
  return { ...detail, response: response.replace(DATE, (_, name) => `${String(name)}${date}`) };
}
