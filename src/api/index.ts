/**
 * The objects of Kubernetes' API as the engine and all commands use them: their types, and small helpers for
 * containers, resources, quantities, image names and JSON. Needs nothing but src/go. Begin with `Pod` in
 * schema/stored.ts. Reading objects from JSON is decode/index.ts; the API server's checks are admission/index.ts.
 */
export {
  allContainers,
  containerNamed,
  containersWithPath,
  handlersOf,
  mapContainers,
  runsToCompletion,
} from './helpers/containers.js';
export { controllerOf, deploymentOf, POD_TEMPLATE_HASH } from './helpers/owners.js';
export { aggregateContainerResources, computePodQOS, getPodQOS } from './helpers/resources.js';
export type * as scenarioFile from './schema/scenario-types.js';
export type { Decoded, v1 } from './schema/schema.js';
export type * from './schema/stored.js';
export { splitMaybeSubscriptedPath } from './values/field-path.js';
export { imageTag, splitDockerDomain } from './values/image-tag.js';
export {
  isList,
  isObject,
  JsonReader,
  LAST_APPLIED,
  mapLeaves,
  omitUndefined,
  ownField,
  tryParseJson,
  valueAt,
} from './values/objects.js';
export { formatQuantity, nanoOf, type Quantity } from './values/quantity.js';
