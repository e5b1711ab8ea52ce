import type { ObjectFieldSelector, ResourceFieldSelector } from './container.js';

export interface KeyToPath {
  readonly key: string;
  readonly path: string;
  readonly mode?: number;
}

export interface ConfigMapVolumeSource {
  readonly name: string;
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
}

export interface SecretVolumeSource {
  readonly secretName: string;
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
}

export interface DownwardAPIVolumeFile {
  readonly path: string;
  readonly fieldRef?: ObjectFieldSelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly mode?: number;
}

export interface DownwardAPIVolumeSource {
  readonly items?: readonly DownwardAPIVolumeFile[];
  readonly defaultMode?: number;
}

/** A projection names its objects as the volume sources do, secrets by `name`. */
export interface VolumeProjection {
  readonly configMap?: ConfigMapVolumeSource;
  readonly secret?: Omit<SecretVolumeSource, 'secretName'> & { readonly name: string };
  readonly downwardAPI?: DownwardAPIVolumeSource;
  readonly serviceAccountToken?: {
    readonly audience?: string;
    readonly expirationSeconds?: number;
    readonly path: string;
  };
}

export interface ProjectedVolumeSource {
  readonly sources?: readonly VolumeProjection[];
  readonly defaultMode?: number;
}

/** v1.Volume. Sources that kprobe cannot make are kept under their own names. */
export interface Volume {
  readonly name: string;
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: string };
  readonly hostPath?: { readonly path: string; readonly type?: string };
  readonly configMap?: ConfigMapVolumeSource;
  readonly secret?: SecretVolumeSource;
  readonly downwardAPI?: DownwardAPIVolumeSource;
  readonly projected?: ProjectedVolumeSource;
  readonly [source: string]: unknown;
}
