import {
  APP_ARMOR_KEY_PREFIX,
  appArmorFieldForAnnotation,
  isSameProfile,
} from '../helpers/profile-annotations.js';
import type { Decoded } from '../schema/decoded.js';
import { collectErrors } from '../validation/common/field-error.js';
import { validateAppArmorProfile } from '../validation/containers/security-context.js';
import type { ApiWarning } from '../warnings/warning.js';

type Pod = Decoded<'Pod'>;
type PodSpec = Decoded<'PodSpec'>;
type Container = Decoded<'Container'>;
type AppArmorProfile = Decoded<'AppArmorProfile'>;

/**
 * Makes fields of a pod's AppArmor annotations, and warns of those that it needed, or could not use. Ports
 * applyAppArmorVersionSkew (pkg/registry/core/pod/strategy.go), which a template does not pass through.
 */
export function applyAppArmorVersionSkew<P extends Pod>(
  pod: P,
): { readonly pod: P; readonly warnings: readonly ApiWarning[] } {
  const { spec = {}, metadata } = pod;
  const annotations = new Map(Object.entries(metadata?.annotations ?? {}));
  if (spec.os?.name === 'windows' || annotations.size === 0) return { pod, warnings: [] };
  const warnings: ApiWarning[] = [];
  const apply = (container: Container): Container => {
    const key = `${APP_ARMOR_KEY_PREFIX}${container.name ?? ''}`;
    const annotation = annotations.get(key);
    if (annotation === undefined || container.securityContext?.appArmorProfile) return container;
    const profile = usableProfile(annotation);
    if (profile !== undefined && isSameProfile(profile, spec.securityContext?.appArmorProfile)) {
      return container;
    }
    const message = 'deprecated since v1.30; use the "appArmorProfile" field instead';
    warnings.push({ field: `metadata.annotations[${key}]`, message });
    return profile === undefined ? container : withProfile(container, profile);
  };
  return { pod: { ...pod, spec: mapContainers(spec, apply) }, warnings };
}

function usableProfile(annotation: string): AppArmorProfile | undefined {
  const profile = appArmorFieldForAnnotation(annotation);
  const errors = collectErrors('', (at) => validateAppArmorProfile(profile, at));
  return errors.length === 0 ? profile : undefined;
}

function withProfile(container: Container, appArmorProfile: AppArmorProfile): Container {
  return { ...container, securityContext: { ...container.securityContext, appArmorProfile } };
}

function mapContainers(spec: PodSpec, apply: (container: Container) => Container): PodSpec {
  const { initContainers, containers, ephemeralContainers } = spec;
  return {
    ...spec,
    ...(initContainers && { initContainers: initContainers.map(apply) }),
    ...(containers && { containers: containers.map(apply) }),
    ...(ephemeralContainers && { ephemeralContainers: ephemeralContainers.map(apply) }),
  };
}
