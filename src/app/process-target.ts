import type { Pod } from '../api/index.js';
import type { Argv } from '../runtime/stand-in.js';

export type ProcessChoice =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'process';
      readonly pod: Pod;
      readonly container: string;
      readonly argv: Argv;
    }
  /** What to say to the user. */
  | { readonly kind: 'error'; readonly message: string };

/** Which container the command of a command line stands for. */
export function processTarget(
  pods: readonly Pod[],
  commandLine: readonly string[] | undefined,
  name: string | undefined,
): ProcessChoice {
  if (commandLine === undefined) {
    if (name === undefined) return { kind: 'none' };
    const message = `--container ${name} is for the command that stands for it: add -- and the command`;
    return { kind: 'error', message };
  }
  const [file, ...args] = commandLine;
  if (file === undefined || file === '') {
    return { kind: 'error', message: 'no command after --' };
  }
  const all = pods.flatMap((pod) =>
    [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].map((c) => ({
      pod,
      name: c.name,
    })),
  );
  const regular = pods.flatMap((pod) => pod.spec.containers.map((c) => ({ pod, name: c.name })));
  const matching = name === undefined ? regular : all.filter((c) => c.name === name);
  const [found, another] = matching;
  if (found !== undefined && another === undefined) {
    return { kind: 'process', pod: found.pod, container: found.name, argv: [file, ...args] };
  }
  const names = [...new Set(all.map((c) => c.name))].join(', ');
  if (found === undefined) {
    return { kind: 'error', message: `no container ${name ?? ''}: there is ${names}` };
  }
  const message =
    name === undefined
      ? `which container does the command stand for? Name one with --container: ${names}`
      : `${matching.length} pods have a container ${name}: give a manifest with one of them`;
  return { kind: 'error', message };
}
