/** Names longer than this are not compared: no field has one. */
const MAX_LENGTH = 64;

/** Asks whether the candidate was meant that a misspelled name is similar to; undefined when none is. */
export function similarHint(name: string, candidates: readonly string[]): string | undefined {
  const near = similarName(name, candidates);
  return near === undefined ? undefined : `did you mean "${near}"?`;
}

/** Returns the candidate that a misspelled name most likely means, or undefined when none is similar. */
export function similarName(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates) {
    const known = candidate.toLowerCase();
    if (known === wanted) return candidate;
    const distance = editDistance(wanted, known, bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best ?? candidates.find((candidate) => isPartOf(wanted, candidate.toLowerCase()));
}

/** `delaySeconds` is part of `initialDelaySeconds`; a few letters are part of anything. */
function isPartOf(wanted: string, known: string): boolean {
  return (
    (wanted.length >= 5 && known.includes(wanted)) || (known.length >= 5 && wanted.includes(known))
  );
}

/** Returns the Levenshtein distance; `limit` if it is at least that. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    if (Math.min(...current) >= limit) return limit;
    previous = current;
  }
  return previous[b.length] ?? limit;
}
