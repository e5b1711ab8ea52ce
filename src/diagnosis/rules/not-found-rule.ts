import { contextPath, pathsBelow, pathsIn, probePaths, readAnswer } from '../answer.js';
import {
  type AttemptContext,
  found,
  hostHeader,
  listeningIn,
  listeningPorts,
  portOf,
  programOutput,
  provenChanges,
} from '../attempt-context.js';
import { type Advice, advise } from '../change.js';
import type { Finding } from '../fault.js';

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
  const proven = byPath.length === 0 && byPort.length === 1 ? byPort : byPath;
  // A server that names the host it was asked for chooses by it.
  const host = hostHeader(context);
  const isByHost = host !== '' && text.includes(host);
  const names = ['path', hasOtherPort(context) ? 'port' : '', isByHost ? 'httpHeaders' : ''];
  const fields = names.filter(Boolean).map((name) => `${field}.httpGet.${name}`);
  const otherwise: Advice = OF_SPRING.test(path)
    ? { do: 'springProbes' }
    : { do: 'correct', fields, or: path === '/' ? 'answer' : undefined };
  const more = { ...(under && { under }), ...(listed.length > 0 && { listed }) };
  const changes = proven.length > 0 ? proven : advise(otherwise);
  return found({ kind: 'notFound', path, text, ...more }, changes);
}

/** States of a server that has the path, and takes itself out of service by 404, as CouchDB does. */
const OF_STATE = /^(?:status|state): (?:\w*maintenance|draining|shutting)/i;

/** Paths that Spring Boot serves in a cluster, which it knows by a variable that is set there alone. */
const OF_SPRING = /\/actuator\/health\/(?:liveness|readiness)$/;

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
