/** What the API server does to an object: types, decoding, defaults, validation, warnings, and admission. */
export type { Admission } from './admission/admission.js';
export { type PodKind, podKind } from './admission/kinds.js';
export { setServiceAccount } from './admission/service-account.js';
export { handlersOf } from './container-handlers.js';
export { containersWithPath } from './containers-with-path.js';
export { decode } from './decode/decode.js';
export type { DecodeIssue } from './decode/decode-issue.js';
export { jsonNodeOf } from './decode/json-node-of.js';
export { jsonText } from './decode/json-text.js';
export { parseJson } from './decode/parse-json.js';
export { decodeMessage, strictMessage } from './decode/server-messages.js';
export { SyntaxProblem } from './decode/syntax-problem.js';
export { setDefaultsPod, setDefaultsPodSpec } from './defaults/pod.js';
export { asJson, type FieldError, type FieldErrorType, forbidden, invalid } from './field-error.js';
export { byteLength } from './go-text.js';
export { imageTag, splitDockerDomain } from './image-tag.js';
export { isObject } from './is-object.js';
export { ownField } from './own-field.js';
export { APP_ARMOR_KEY_PREFIX } from './profile-annotations.js';
export { computePodQOS } from './qos.js';
export { formatQuantity, parseQuantity, type Quantity } from './quantity.js';
export type { Decoded, TypeName } from './schema/decoded.js';
export { encode } from './schema/encode.js';
export { fieldsOf, type GoType } from './schema/schema.js';
export { isServed } from './schema/served-kinds.js';
export type { ConfigMap, Secret } from './types/config.js';
export type {
  Container,
  ContainerPort,
  ContainerRestartRule,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  KeySelector,
  ObjectFieldSelector,
  PullPolicy,
  ResourceFieldSelector,
  ResourceList,
  ResourceRequirements,
  SecurityContext,
  VolumeMount,
} from './types/container.js';
export type { Lifecycle, LifecycleHandler } from './types/lifecycle.js';
export type { ObjectMeta, Time } from './types/meta.js';
export type { Pod, PodSpec, RestartPolicy } from './types/pod.js';
export type {
  HTTPGetAction,
  HTTPHeader,
  IntOrString,
  Probe,
  TCPSocketAction,
} from './types/probe.js';
export type {
  ContainerState,
  ContainerStateRunning,
  ContainerStateTerminated,
  ContainerStateWaiting,
  ContainerStatus,
  PodCondition,
  PodPhase,
  PodQOSClass,
  PodStatus,
  VolumeMountStatus,
} from './types/status.js';
export type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeSource,
  KeyToPath,
  ProjectedVolumeSource,
  SecretVolumeSource,
  Volume,
  VolumeProjection,
} from './types/volume.js';
export { endsKubelet } from './validation/ends-kubelet.js';
export { MIRROR_POD_KEY } from './validation/pod-annotations.js';
export { validatePodSpec } from './validation/pod-spec.js';
export { warningText } from './warnings/warning.js';
