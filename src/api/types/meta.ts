/** A point in time: milliseconds since the Unix epoch, as the Clock tells it. */
export type Time = number;

/** metav1.ObjectMeta, as far as kprobe reads it. */
export interface ObjectMeta {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace: string;
  readonly uid: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly generation?: number;
  readonly creationTimestamp?: Time;
  /** When deletion was asked for; its presence is what the kubelet looks at. */
  readonly deletionTimestamp?: Time;
  readonly deletionGracePeriodSeconds?: number;
}

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
