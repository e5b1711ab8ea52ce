import { containersWithPath } from '../api/index.js';
import type { Diagnostic } from '../manifest/diagnostic.js';
import type { LoadedPod } from '../manifest/pods/load-pod.js';
import type { ContainerRoutes } from '../runtime/container/attach/container-routes.js';
import { probedPorts } from './probed-ports.js';

/** The ports of probes and hooks that cannot be reached, and what to do about it. */
export function attachDiagnostics(
  pods: readonly LoadedPod[],
  routes: ContainerRoutes,
): Diagnostic[] {
  return pods.flatMap((loaded) =>
    containersWithPath(loaded.pod.spec, 'spec').flatMap(({ container, at }) =>
      probedPorts(container).flatMap((probed) => {
        const way = routes.addressOf(loaded.pod, container, probed.port);
        if (way?.kind !== 'none') return [];
        const field = `${at}.${probed.path}`;
        const [message = '', hint] = way.why.split('; ');
        return [
          {
            severity: 'error',
            file: loaded.source.file,
            ...loaded.positions(field),
            field,
            message,
            ...(hint === undefined ? {} : { hint }),
          } as const,
        ];
      }),
    ),
  );
}

/** How each probed port is reached, a line each. */
export function describeRoutes(pods: readonly LoadedPod[], routes: ContainerRoutes): string[] {
  const lines = pods.flatMap((loaded) =>
    containersWithPath(loaded.pod.spec, 'spec').flatMap(({ container }) =>
      probedPorts(container).flatMap(({ port }) => {
        const way = routes.addressOf(loaded.pod, container, port);
        if (way?.kind !== 'address') return [];
        return [
          `port ${port} of ${container.name} is reached at ${way.host}:${way.port} (${HOW[way.how]})`,
        ];
      }),
    ),
  );
  return [...new Set(lines)];
}

const HOW = {
  'host network': "the host's network",
  published: 'the published port',
  'container address': "the container's address",
  mapped: '-p',
  within: "from within the container's network",
} as const;
