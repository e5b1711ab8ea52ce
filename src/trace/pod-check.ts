import type { Pod, PodStatus } from '../api/index.js';
import {
  type FieldCheck,
  list,
  nullProblem,
  object,
  ofType,
  optional,
  text,
} from './field-check.js';

const CONTAINERS = list(object({ name: text, image: text }));

const POD_FIELDS = object({
  metadata: object({ name: text, namespace: text, uid: text }),
  spec: object({
    containers: CONTAINERS,
    initContainers: optional(CONTAINERS),
    restartPolicy: text,
  }),
});

/** A pod of the API, with what every reader of a trace needs. */
export const POD: FieldCheck<Pod> = (value, path) =>
  POD_FIELDS(value, path) ??
  ofType('Pod')(value, path) ??
  nullProblem((value as { readonly spec: unknown }).spec, `${path}.spec`);

export const POD_STATUS: FieldCheck<PodStatus> = (value, path) =>
  object({})(value, path) ?? ofType('PodStatus')(value, path);
