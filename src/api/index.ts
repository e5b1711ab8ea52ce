/** The API server's part: the types of objects, decoding, defaults, validation, warnings, and admission. */
export { type Admission, generatedName, setServiceAccount } from './admission/admission.js';
export { foundPodKinds, type PodKind, podKind } from './admission/kinds.js';
export { decode, type DecodeIssue, decodeMessage, strictMessage } from './decode/decode.js';
export { setDefaultsPod, setDefaultsPodSpec } from './defaults/pod.js';
export {
  allContainers,
  containerNamed,
  containersWithPath,
  handlersOf,
} from './helpers/containers.js';
export { aggregateContainerResources, computePodQOS, getPodQOS } from './helpers/resources.js';
export { encode } from './schema/encode.js';
export { type Decoded, fieldsOf, type GoType, type TypeName } from './schema/schema.js';
export type * from './schema/stored.js';
export {
  asJson,
  collectErrors,
  type FieldError,
  forbidden,
  invalid,
} from './validation/common/field-error.js';
export { endsKubelet } from './validation/containers/probe.js';
export { validatePodSpec } from './validation/pod/pod.js';
export {
  APP_ARMOR_KEY_PREFIX,
  appArmorFieldForAnnotation,
  MIRROR_POD_KEY,
} from './validation/pod/pod-annotations.js';
export { splitMaybeSubscriptedPath } from './validation/volumes/file-volumes.js';
export { imageTag, splitDockerDomain } from './values/image-tag.js';
export { Fields, isObject, ownField, present, tryParseJson } from './values/objects.js';
export { formatQuantity, nanoOf, type Quantity } from './values/quantity.js';
export { warningText } from './warnings/warning.js';
