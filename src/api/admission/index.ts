/**
 * The API server's answer to a new object: defaults, validation and warnings, for each kind that makes pods. Only the
 * reading of manifests, scenarios and traces, and diff, need it. Begin with `PodKind.admit` in kinds.ts.
 */
export { type ApiServer, GATE_SIGNS, SERVER_GATES } from '../schema/api-server.js';
export {
  asJson,
  collectErrors,
  type FieldError,
  forbidden,
  invalid,
} from '../validation/common/field-error.js';
export { selectorMatches, validateObjectMetaAccessor } from '../validation/common/meta.js';
export { endsKubelet } from '../validation/containers/probe.js';
export { MIRROR_POD_KEY, validatePodSpec } from '../validation/pod/pod.js';
export { warningText } from '../warnings/warning.js';
export {
  type Admission,
  fillMeta,
  finishAdmission,
  generatedName,
  setServiceAccount,
} from './admission.js';
export { foundPodKinds, type PodKind, podKind } from './kinds.js';
