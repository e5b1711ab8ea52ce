import leven from 'leven';

/** Names longer than this are not compared: no field has one. */
const MAX_LENGTH = 64;

/** Returns `did you mean "NAME"?` for a misspelled name; undefined when no candidate is similar. */
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
    const distance = leven(wanted, known, { maxDistance: bestDistance });
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
