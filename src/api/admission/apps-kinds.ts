import { decode } from '../decode/decode.js';
import {
  setDefaultsDaemonSet,
  setDefaultsDeployment,
  setDefaultsReplicaSet,
  setDefaultsStatefulSet,
} from '../defaults/workload.js';
import { validateDaemonSet } from '../validation/daemon-set.js';
import { validateDeployment } from '../validation/deployment.js';
import { validateReplicaSet } from '../validation/replica-set.js';
import { validateStatefulSet } from '../validation/stateful-set.js';
import { warningsForPodTemplate } from '../warnings/pod-warnings.js';
import { warningsForStatefulSet, warningsForWorkload } from '../warnings/workload-warnings.js';
import { type Admit, conclude, fillMeta } from './admission.js';

export const admitDeployment: Admit = (node, { uid, integers }) => {
  const { value, issues } = decode(node, 'Deployment', integers);
  const object = setDefaultsDeployment(fillMeta(value, uid));
  return conclude({
    stored: object,
    object: { metadata: object.metadata, replicas: object.spec?.replicas },
    template: object.spec?.template,
    written: value.spec?.template,
    issues,
    validate: () => validateDeployment(object),
    warn: () =>
      warningsForWorkload(object.metadata?.name ?? '', object.spec?.template, 'spec.template'),
  });
};

export const admitReplicaSet: Admit = (node, { uid, integers }) => {
  const { value, issues } = decode(node, 'ReplicaSet', integers);
  const object = setDefaultsReplicaSet(fillMeta(value, uid));
  return conclude({
    stored: object,
    object: { metadata: object.metadata, replicas: object.spec?.replicas },
    template: object.spec?.template,
    written: value.spec?.template,
    issues,
    validate: () => validateReplicaSet(object),
    warn: () =>
      warningsForWorkload(object.metadata?.name ?? '', object.spec?.template, 'spec.template'),
  });
};

export const admitDaemonSet: Admit = (node, { uid, integers }) => {
  const { value, issues } = decode(node, 'DaemonSet', integers);
  const object = setDefaultsDaemonSet(fillMeta(value, uid));
  return conclude({
    stored: object,
    object: { metadata: object.metadata },
    template: object.spec?.template,
    written: value.spec?.template,
    issues,
    validate: () => validateDaemonSet(object),
    warn: () => warningsForPodTemplate(object.spec?.template, 'spec.template'),
  });
};

export const admitStatefulSet: Admit = (node, { uid, integers }) => {
  const { value, issues } = decode(node, 'StatefulSet', integers);
  const object = setDefaultsStatefulSet(fillMeta(value, uid));
  return conclude({
    stored: object,
    object: {
      metadata: object.metadata,
      replicas: object.spec?.replicas,
      serviceName: object.spec?.serviceName,
      claims: object.spec?.volumeClaimTemplates?.flatMap(({ metadata }) => metadata?.name ?? []),
    },
    template: object.spec?.template,
    written: value.spec?.template,
    issues,
    validate: () => validateStatefulSet(object),
    warn: () => warningsForStatefulSet(object.spec),
  });
};
