import {
  containersWithPath,
  handlersOf,
  type LifecycleHandler,
  type Pod,
  type Probe,
  runsToCompletion,
} from '../../api/index.js';
import { isLoopback } from '../../go/addr.js';
import type { Diagnostic, FieldProblem, Severity } from '../../manifest/diagnostic.js';
import type { LoadedPod } from '../../manifest/pods/load-pod.js';

interface PermissionOptions {
  /** Exec probes and hooks may run where the target is. */
  readonly execAllowed: boolean;
  /** Containers whose commands run in a container, not on this machine. */
  readonly inEngine?: (pod: Pod, container: string) => boolean;
  /** The address used for the pods. */
  readonly host: string;
  /** Other hosts may be contacted. */
  readonly hostsAllowed: boolean;
  /** Handlers of a container that run, such as `livenessProbe` or `lifecycle.preStop`; all by default. */
  readonly runs?: (container: string, handler: string) => boolean;
}

/** Reports what a manifest requests without the user's permission, before anything starts. */
export function missingPermissions(
  pods: readonly LoadedPod[],
  options: PermissionOptions,
): Diagnostic[] {
  return pods.flatMap((loaded) => {
    const { spec } = loaded.pod;
    return containersWithPath(spec, 'spec')
      .flatMap(({ container, at }) =>
        handlersOf(container)
          // Init containers that run to completion are not probed, but may have hooks where validation is off.
          .filter(
            ({ name }) => name.startsWith('lifecycle.') || !runsToCompletion(spec, container.name),
          )
          .filter(({ name }) => options.runs?.(container.name, name) !== false)
          .flatMap(({ name, handler }) => {
            const inEngine = options.inEngine?.(loaded.pod, container.name) ?? false;
            const execAllowed = options.execAllowed || inEngine;
            return problems(`${at}.${name}`, handler, { ...options, execAllowed });
          }),
      )
      .map((problem) => problemOf(loaded, problem));
  });
}

function problems(
  path: string,
  handler: Pick<Probe, 'exec' | 'httpGet' | 'tcpSocket'> & Pick<LifecycleHandler, 'sleep'>,
  { execAllowed, host, hostsAllowed }: PermissionOptions,
): Problem[] {
  const found: Problem[] = [];
  if (handler.exec !== undefined && !execAllowed) {
    const message = `would run on this machine: ${(handler.exec.command ?? []).join(' ')}`;
    found.push(needsFlag(`${path}.exec`, message, '--allow-local-exec'));
  }
  for (const kind of ['httpGet', 'tcpSocket'] as const) {
    const named = handler[kind]?.host ?? '';
    if (named === '' || named === host || isLoopback(named) || hostsAllowed) continue;
    const message = `would contact ${named}, which is not this machine`;
    found.push(needsFlag(`${path}.${kind}.host`, message, '--allow-host'));
  }
  return found;
}

export interface Problem extends FieldProblem {
  readonly severity?: Severity;
}

/** Returns a problem with its place; an error unless it says otherwise. */
export function problemOf({ source, positions }: LoadedPod, problem: Problem): Diagnostic {
  return { severity: 'error', file: source.file, ...positions(problem.field), ...problem };
}

export function needsFlag(field: string, message: string, flag: string): Problem {
  return { field, message, hint: `to allow that, add ${flag}` };
}
