/** The API server's part: the types of objects, decoding, defaults, validation, warnings, and admission. */
export { type Admission, generatedName, setServiceAccount } from './admission/admission.js';
export { foundPodKinds } from './admission/found-template.js';
export { type PodKind, podKind } from './admission/kinds.js';
export { decode, type DecodeIssue, decodeMessage, strictMessage } from './decode/decode.js';
export { setDefaultsPod, setDefaultsPodSpec } from './defaults/pod.js';
export {
  allContainers,
  containerNamed,
  containersWithPath,
  handlersOf,
} from './helpers/containers.js';
export { APP_ARMOR_KEY_PREFIX, appArmorFieldForAnnotation } from './helpers/profile-annotations.js';
export { aggregateContainerResources, computePodQOS, getPodQOS } from './helpers/resources.js';
export type { Decoded, TypeName } from './schema/decoded.js';
export { encode } from './schema/encode.js';
export { fieldsOf, type GoType } from './schema/schema.js';
export { isServed } from './schema/served-kinds.js';
export type * from './types/spec.js';
export type * from './types/status.js';
export {
  asJson,
  collectErrors,
  type FieldError,
  type FieldErrorType,
  forbidden,
  invalid,
} from './validation/common/field-error.js';
export { endsKubelet } from './validation/containers/probe.js';
export { MIRROR_POD_KEY } from './validation/pod/pod-annotations.js';
export { validatePodSpec } from './validation/pod/pod-spec.js';
export { splitMaybeSubscriptedPath } from './validation/volumes/file-volumes.js';
export { Fields, tryParseJson } from './values/fields.js';
export { imageTag, splitDockerDomain } from './values/image-tag.js';
export { isObject, ownField, present } from './values/objects.js';
export { formatQuantity, nanoOf, type Quantity } from './values/quantity.js';
export { warningText } from './warnings/warning.js';
