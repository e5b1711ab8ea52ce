import type { Decoded } from '../../api/index.js';
import type { StoredForm } from '../stored-form.js';
import { validateImmutableField } from './immutable-field.js';
import { validateJobUpdate } from './job-update.js';
import { validatePodUpdate } from './pod-update.js';
import { ACCEPTED, type Update } from './update.js';
import { validateStatefulSetUpdate } from './workload-update.js';

/** What the API server says when an object that is there is to become another. */
export function validateUpdate(kind: string, after: StoredForm, before: StoredForm): Update {
  switch (kind) {
    case 'Pod':
      return validatePodUpdate(after, before);
    case 'Job':
      return validateJobUpdate(after, before);
    case 'StatefulSet':
      return validateStatefulSetUpdate(after, before);
    // Ports ValidateDeploymentUpdate, ValidateReplicaSetUpdate and ValidateDaemonSetSpecUpdate.
    case 'Deployment':
    case 'ReplicaSet':
    case 'DaemonSet':
      return validateImmutableField(selectorOf(after), selectorOf(before), 'spec.selector');
    default:
      return ACCEPTED;
  }
}

function selectorOf({ spec }: StoredForm): unknown {
  return (spec as Decoded<'DeploymentSpec'>).selector;
}
