import { type JsonNode, memberOf, stringOf } from '../../../go/json-node.js';
import type { ManifestObject } from '../../../manifest/documents/manifest-object.js';
import { type Service, textsOf } from './services.js';

/** A time of a load balancer that a manifest sets. */
export interface BalancerLimit {
  /** A limit: the time in which connections may finish after their pod is removed, the time of a request, or a health check. */
  readonly kind: 'drain' | 'response' | 'healthCheck';
  readonly seconds: number;
  /** The annotation or field, with the object that has it. */
  readonly source: string;
}

export interface Balancer {
  readonly namespace: string;
  readonly limits: readonly BalancerLimit[];
  readonly isFor: (service: Service) => boolean;
}

type LimitAnnotation = readonly [kind: BalancerLimit['kind'], path: RegExp, value: RegExp];

const SECONDS = /^(\d+)(?:s)?$/;

/** Annotations of AWS's controllers and of ingress-nginx, and what their values have in front of the seconds. */
const ANNOTATIONS: readonly LimitAnnotation[] = [
  [
    'drain',
    /^service\.beta\.kubernetes\.io\/aws-load-balancer-connection-draining-timeout$/,
    SECONDS,
  ],
  ['drain', /target-group-attributes$/, /\bderegistration_delay\.timeout_seconds=(\d+)/],
  ['response', /^nginx\.ingress\.kubernetes\.io\/proxy-read-timeout$/, SECONDS],
  ['response', /load-balancer-attributes$/, /\bidle_timeout\.timeout_seconds=(\d+)/],
  ['response', /aws-load-balancer-connection-idle-timeout$/, SECONDS],
  ['healthCheck', /^alb\.ingress\.kubernetes\.io\/healthcheck-timeout-seconds$/, SECONDS],
  ['healthCheck', /aws-load-balancer-healthcheck-timeout$/, SECONDS],
];

/** Fields of GKE's BackendConfig. */
const FIELDS: readonly (readonly [kind: BalancerLimit['kind'], field: string])[] = [
  ['drain', 'connectionDraining.drainingTimeoutSec'],
  ['response', 'timeoutSec'],
  ['healthCheck', 'healthCheck.timeoutSec'],
];

/** Returns the load balancer that a Service, an Ingress or a BackendConfig configures. */
export function balancerOf({ kind, node }: ManifestObject): readonly Balancer[] {
  const metadata = memberOf(node, 'metadata');
  const name = stringOf(memberOf(metadata, 'name')) ?? '';
  const limits =
    kind === 'BackendConfig' ? fieldLimits(node, name) : annotationLimits(node, kind, name);
  if (limits.length === 0) return [];
  const backends = kind === 'Ingress' ? backendNames(memberOf(node, 'spec')) : [name];
  const isFor = (service: Service): boolean =>
    kind === 'BackendConfig'
      ? (service.annotations['cloud.google.com/backend-config'] ?? '').includes(`"${name}"`)
      : backends.includes(service.name);
  return [{ namespace: stringOf(memberOf(metadata, 'namespace')) ?? 'default', limits, isFor }];
}

function annotationLimits(node: JsonNode, kind: string, name: string): readonly BalancerLimit[] {
  if (kind !== 'Service' && kind !== 'Ingress') return [];
  const annotations = Object.entries(textsOf(memberOf(memberOf(node, 'metadata'), 'annotations')));
  return ANNOTATIONS.flatMap(([what, path, value]) =>
    annotations.flatMap(([key, text]) => {
      const seconds = path.test(key) ? value.exec(text)?.[1] : undefined;
      const source = `${key} of ${kind} ${name}`;
      return seconds === undefined ? [] : [{ kind: what, seconds: Number(seconds), source }];
    }),
  );
}

function fieldLimits(node: JsonNode, name: string): readonly BalancerLimit[] {
  return FIELDS.flatMap(([kind, field]) => {
    const found = field
      .split('.')
      .reduce<JsonNode | undefined>((at, key) => memberOf(at, key), memberOf(node, 'spec'));
    if (found?.kind !== 'number') return [];
    return [{ kind, seconds: Number(found.literal), source: `${field} of BackendConfig ${name}` }];
  });
}

/** Returns the names of the Services in an Ingress's spec. */
function backendNames(node: JsonNode | undefined): readonly string[] {
  if (node?.kind === 'array') return node.items.flatMap(backendNames);
  if (node?.kind !== 'object') return [];
  return node.members.flatMap(({ key, value }) =>
    key === 'service' ? [stringOf(memberOf(value, 'name')) ?? ''] : backendNames(value),
  );
}
