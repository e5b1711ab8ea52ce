/** Throws with what krew says against a manifest. */
export function validateKrewManifest(file: string): void;
