import type { Decoded } from '../schema/decoded.js';
import { setDefaultsObjectFieldSelector } from './container.js';

/** 0644: what SecretVolumeSourceDefaultMode and its siblings are. */
const DEFAULT_MODE = 0o644;
const HOUR_SECONDS = 3600;

/** Ports SetDefaults_Volume (pkg/apis/core/v1/defaults.go): a volume without a source is an emptyDir. */
export function setDefaultsVolume(volume: Decoded<'Volume'>): Decoded<'Volume'> {
  const { hostPath, secret, configMap, downwardAPI, projected } = volume;
  const hasSource = Object.keys(volume).some((key) => key !== 'name');
  return {
    ...volume,
    name: volume.name ?? '',
    ...(!hasSource && { emptyDir: {} }),
    ...(hostPath && { hostPath: { ...hostPath, type: hostPath.type ?? '' } }),
    ...(secret && { secret: setDefaultMode(secret) }),
    ...(configMap && { configMap: setDefaultMode(configMap) }),
    ...(downwardAPI && {
      downwardAPI: { ...setDefaultMode(downwardAPI), ...setDefaultsItems(downwardAPI) },
    }),
    ...(projected && { projected: setDefaultsProjectedVolumeSource(projected) }),
  };
}

function setDefaultMode<T extends { readonly defaultMode?: number | undefined }>(source: T): T {
  return { ...source, defaultMode: source.defaultMode ?? DEFAULT_MODE };
}

function setDefaultsItems(source: {
  readonly items?: readonly Decoded<'DownwardAPIVolumeFile'>[] | undefined;
}): {
  items?: readonly Decoded<'DownwardAPIVolumeFile'>[];
} {
  if (source.items === undefined) return {};
  const items = source.items.map((item) => ({
    ...item,
    ...(item.fieldRef && { fieldRef: setDefaultsObjectFieldSelector(item.fieldRef) }),
  }));
  return { items };
}

/** Ports SetDefaults_ProjectedVolumeSource and SetDefaults_ServiceAccountTokenProjection. */
function setDefaultsProjectedVolumeSource(
  source: Decoded<'ProjectedVolumeSource'>,
): Decoded<'ProjectedVolumeSource'> {
  const sources = source.sources?.map(({ downwardAPI, serviceAccountToken, ...rest }) => ({
    ...rest,
    ...(downwardAPI && { downwardAPI: { ...downwardAPI, ...setDefaultsItems(downwardAPI) } }),
    ...(serviceAccountToken && {
      serviceAccountToken: { expirationSeconds: HOUR_SECONDS, ...serviceAccountToken },
    }),
  }));
  return { ...setDefaultMode(source), ...(sources && { sources }) };
}
