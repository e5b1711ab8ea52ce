const RATIO_RANGE_LOW = 400_000;
const RATIO_RANGE_HIGH = 4_000_000;

/**
 * Counts what decoding a document costs, aliases taken apart. Ports the limits that go-yaml sets to
 * `document contains excessive aliasing` (go.yaml.in/yaml/v2 decode.go).
 */
export class AliasBudget {
  #decoded = 1;
  #aliased = 0;

  /** Counts one node that stands in the text. */
  addNode(): void {
    this.#decoded++;
  }

  /** How many nodes have been counted, so that the difference is the size of what was read between. */
  get count(): number {
    return this.#decoded;
  }

  /** Counts what an alias brings in; false when that is more than go-yaml allows. */
  addAlias(size: number): boolean {
    this.#decoded += size;
    this.#aliased += size;
    if (this.#aliased <= 100 || this.#decoded <= 1000) return true;
    return this.#aliased / this.#decoded <= allowedAliasRatio(this.#decoded);
  }
}

/** Ports allowedAliasRatio. */
function allowedAliasRatio(decodeCount: number): number {
  if (decodeCount <= RATIO_RANGE_LOW) return 0.99;
  if (decodeCount >= RATIO_RANGE_HIGH) return 0.1;
  return 0.99 - 0.89 * ((decodeCount - RATIO_RANGE_LOW) / (RATIO_RANGE_HIGH - RATIO_RANGE_LOW));
}
