import { decode } from '../decode/decode.js';
import { applyLabelKeys } from '../defaults/label-keys.js';
import { setDefaultsPod, setDefaultsPodSpec } from '../defaults/pod.js';
import { setDefaultsReplicationController, setDefaultsTemplate } from '../defaults/workload.js';
import { validatePodCreate } from '../validation/pod.js';
import { validatePodTemplate, validateReplicationController } from '../validation/replica-set.js';
import { warningsForPod, warningsForPodTemplate } from '../warnings/pod-warnings.js';
import { warningsForWorkload } from '../warnings/workload-warnings.js';
import { type Admit, conclude, fillMeta } from './admission.js';
import { applyAppArmorVersionSkew } from './app-armor-skew.js';

export const admitPod: Admit = (node, { uid, integers, plugins = (spec) => spec }) => {
  const { value, issues } = decode(node, 'Pod', integers);
  const spec = plugins(setDefaultsPod(setDefaultsPodSpec(value.spec ?? {})));
  const keyed = { ...fillMeta(value, uid), spec: applyLabelKeys(spec, value.metadata?.labels) };
  const { pod, warnings } = applyAppArmorVersionSkew(keyed);
  return conclude({
    stored: pod,
    object: pod,
    template: pod,
    written: value,
    issues,
    validate: () => validatePodCreate(pod),
    preparation: warnings,
    warn: () => warningsForPod(pod),
  });
};

export const admitPodTemplate: Admit = (node, { uid, integers }) => {
  const { value, issues } = decode(node, 'PodTemplate', integers);
  const object = { ...fillMeta(value, uid), template: setDefaultsTemplate(value.template) };
  return conclude({
    stored: object,
    object,
    template: object.template,
    written: value.template,
    issues,
    validate: () => validatePodTemplate(object),
    warn: () => warningsForPodTemplate(object.template, 'template'),
  });
};

export const admitReplicationController: Admit = (node, { uid, integers }) => {
  const { value, issues } = decode(node, 'ReplicationController', integers);
  const object = setDefaultsReplicationController(fillMeta(value, uid));
  return conclude({
    stored: object,
    object: { metadata: object.metadata, replicas: object.spec?.replicas },
    template: object.spec?.template,
    written: value.spec?.template,
    issues,
    validate: () => validateReplicationController(object),
    warn: () =>
      warningsForWorkload(object.metadata?.name ?? '', object.spec?.template, 'spec.template'),
  });
};
