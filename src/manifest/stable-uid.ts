const FNV_PRIME = 0x01000193;
const SEEDS = [0x811c9dc5, 0x050c5d1f, 0x9e3779b9, 0x85ebca6b] as const;

/** A UID that is the same whenever the text is: four FNV-1a hashes in the form of a version 4 UUID. */
export function stableUid(text: string): string {
  const hex = SEEDS.map((seed) => fnv1a(text, seed).toString(16).padStart(8, '0')).join('');
  const version = `4${hex.slice(13, 16)}`;
  const variant =
    ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16) + hex.slice(17, 20);
  return [hex.slice(0, 8), hex.slice(8, 12), version, variant, hex.slice(20)].join('-');
}

function fnv1a(text: string, seed: number): number {
  let hash = seed;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash >>> 0;
}
