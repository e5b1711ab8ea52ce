const RATIO_RANGE_LOW = 400_000;
const RATIO_RANGE_HIGH = 4_000_000;

/**
 * Counts what decoding a document costs, aliases taken apart. Ports the limits that go-yaml sets to
 * `document contains excessive aliasing` (go.yaml.in/yaml/v2 decode.go).
 */
export class AliasBudget {
  /** The document itself is one. */
  #decoded = 1;
  #aliased = 0;
  #depth = 0;

  /** Counts a node that is decoded; false when there are more by aliases than go-yaml allows. */
  addNode(): boolean {
    this.#decoded++;
    if (this.#depth > 0) this.#aliased++;
    if (this.#aliased <= 100 || this.#decoded <= 1000) return true;
    return this.#aliased / this.#decoded <= allowedAliasRatio(this.#decoded);
  }

  enterAlias(): void {
    this.#depth++;
  }

  leaveAlias(): void {
    this.#depth--;
  }
}

/** Ports allowedAliasRatio. */
function allowedAliasRatio(decodeCount: number): number {
  if (decodeCount <= RATIO_RANGE_LOW) return 0.99;
  if (decodeCount >= RATIO_RANGE_HIGH) return 0.1;
  return 0.99 - 0.89 * ((decodeCount - RATIO_RANGE_LOW) / (RATIO_RANGE_HIGH - RATIO_RANGE_LOW));
}
