import { contextPath, pathsBelow, pathsIn, probePaths, readAnswer } from '../answer.js';
import {
  type AttemptContext,
  found,
  hasAnswered,
  hostHeader,
  isYoung,
  listeningIn,
  listeningPorts,
  passedTrials,
  portOf,
  programOutput,
  provenChanges,
} from '../attempt-context.js';
import { type Advice, advise } from '../change.js';
import type { Finding } from '../fault.js';
import { HEALTH_PATHS, OF_SPRING } from '../trials.js';

export function notFound(context: AttemptContext): Finding {
  const { spec, field, body, probe } = context;
  const path = spec.httpGet?.path ?? '/';
  const { text } = readAnswer(body);
  if (OF_STATE.test(text)) {
    return found({ kind: 'errorAnswer', text }, advise({ do: 'fixAnswer', probe: probe.type }));
  }
  const output = programOutput(context.container, context.attempt);
  const under = contextPath(output);
  const listed = [...probePaths(body, path, probe.type), ...pathsBelow(pathsIn(output), path)];
  const byPath = provenChanges(context, 'httpGet.path');
  const byPort = provenChanges(context, 'httpGet.port');
  // A common path that answers on this port shows less than the probe's path that answers on another.
  const isGuess = passedTrials(context, `${field}.httpGet.path`).every(
    ({ to }) => typeof to === 'string' && HEALTH_PATHS.includes(to) && !listed.includes(to),
  );
  const proven = isGuess && byPort.length === 1 ? byPort : byPath;
  // A server that names the host it was asked for chooses by it.
  const host = hostHeader(context);
  const isByHost = host !== '' && text.includes(host);
  const names = ['path', hasOtherPort(context) ? 'port' : '', isByHost ? 'httpHeaders' : ''];
  const fields = names.filter(Boolean).map((name) => `${field}.httpGet.${name}`);
  const enabled = ENABLED.find(
    (each) => each.path.test(path) && output.some((line) => each.server.test(line)),
  )?.advice;
  // A server may add its paths at the end of its start; one that answers another probe has done that.
  const { attempt } = context;
  const mayStart = text === '' && attempt.endedAt !== undefined && isYoung(context);
  const isStarting = mayStart && !hasAnswered(context.container, attempt);
  const or = path === '/' ? 'answer' : isStarting ? 'start' : undefined;
  const otherwise: Advice = OF_SPRING.test(path)
    ? { do: 'springProbes' }
    : OF_ISTIO.test(path)
      ? { do: 'correct', fields: [`the path of ${field} in the pod's template`] }
      : (enabled ?? { do: 'correct', fields, or });
  const more = { ...(under && { under }), ...(listed.length > 0 && { listed }) };
  const changes = proven.length > 0 ? proven : advise(otherwise);
  return found({ kind: 'notFound', path, text, ...more }, changes);
}

/** Servers that have a path for probes only where it is enabled. */
const ENABLED: readonly {
  readonly server: RegExp;
  readonly path: RegExp;
  readonly advice: Advice;
}[] = [
  {
    server: /\bKeycloak\b/,
    path: /\/health\b/,
    advice: { do: 'setVariable', name: 'KC_HEALTH_ENABLED', isUnset: true },
  },
  {
    server: /\bfpm is running\b/,
    path: /\/ping$/,
    advice: { do: 'setting', names: ['ping.path'], isUnset: true },
  },
  {
    server: /\bTraefik\b/,
    path: /\/ping$/,
    advice: { do: 'setting', names: ['ping'], isUnset: true },
  },
];

/** The path that Istio's injector gives to a probe; its sidecar then asks the app at the path of the template. */
const OF_ISTIO = /^\/app-health\/[^/]+\/(?:livez|readyz|startupz)$/;

/** States of a server that has the path, and takes itself out of service by 404, as CouchDB does. */
const OF_STATE = /^(?:status|state): (?:\w*maintenance|draining|shutting)/i;

/** Reports whether the container has a port beside the probed one. */
function hasOtherPort(context: AttemptContext): boolean {
  const { ports = [] } = context.container.spec;
  const probed = portOf(context.attempt.detail?.address);
  const known = [
    ...ports.map(({ containerPort }) => containerPort),
    ...listeningPorts(listeningIn(context)),
  ];
  return probed !== undefined && known.some((port) => port !== probed);
}
