/** v1.ConfigMap, as far as kprobe reads it. */
export interface ConfigMap {
  readonly name: string;
  readonly namespace: string;
  readonly data: Readonly<Record<string, string>>;
  /** Base64. */
  readonly binaryData: Readonly<Record<string, string>>;
}

/** v1.Secret as the API server stores it, stringData folded in. */
export interface Secret {
  readonly name: string;
  readonly namespace: string;
  /** Base64. */
  readonly data: Readonly<Record<string, string>>;
}
