import type { Container } from '../api/index.js';
import { expand } from '../kubelet/prober/expand-command.js';
import type { Environment } from './environment/environment-variables.js';

export interface ContainerCommand {
  /** Stands for the image's entrypoint; empty leaves that. */
  readonly command: readonly string[];
  readonly args: readonly string[];
}

/** What a container runs, its `$(VAR)` replaced by its environment. Ports ExpandContainerCommandAndArgs (container/helpers.go). */
export function expandContainerCommandAndArgs(
  { command = [], args = [] }: Container,
  env: Environment,
): ContainerCommand {
  const words = (list: readonly string[]): string[] =>
    list.map((word) => expand(word, (name) => env.get(name) ?? `$(${name})`));
  return { command: words(command), args: words(args) };
}
