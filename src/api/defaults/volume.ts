import type { Decoded } from '../schema/decoded.js';
import { defaultPullPolicy, setDefaultsObjectFieldSelector } from './container.js';

/** 0644: what SecretVolumeSourceDefaultMode and its siblings are. */
const DEFAULT_MODE = 0o644;
const HOUR_SECONDS = 3600;

/** Ports SetDefaults_Volume (pkg/apis/core/v1/defaults.go): a volume without a source is an emptyDir. */
export function setDefaultsVolume(volume: Decoded<'Volume'>): Decoded<'Volume'> {
  const { hostPath, secret, configMap, downwardAPI, projected, image } = volume;
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
    ...(image && { image: setDefaultsImage(image) }),
    ...(projected && { projected: setDefaultsProjectedVolumeSource(projected) }),
  };
}

function setDefaultsImage(image: Decoded<'ImageVolumeSource'>): Decoded<'ImageVolumeSource'> {
  return { ...image, pullPolicy: image.pullPolicy ?? defaultPullPolicy(image.reference ?? '') };
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

/**
 * Ports SetDefaults_ProjectedVolumeSource and SetDefaults_ServiceAccountTokenProjection. The gates of two more
 * sources are off, so they are dropped without a word: DropDisabledPodFields (pkg/api/pod/util.go).
 */
function setDefaultsProjectedVolumeSource(
  source: Decoded<'ProjectedVolumeSource'>,
): Decoded<'ProjectedVolumeSource'> {
  const sources = source.sources?.map(
    ({ secret, configMap, downwardAPI, serviceAccountToken }) => ({
      ...(secret && { secret }),
      ...(configMap && { configMap }),
      ...(downwardAPI && { downwardAPI: { ...downwardAPI, ...setDefaultsItems(downwardAPI) } }),
      ...(serviceAccountToken && {
        serviceAccountToken: { expirationSeconds: HOUR_SECONDS, ...serviceAccountToken },
      }),
    }),
  );
  return { ...setDefaultMode(source), ...(sources && { sources }) };
}
