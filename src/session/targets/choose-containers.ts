import { split } from 'shlex';

import type { Pod } from '../../api/index.js';
import type { Argv } from '../../runtime/backing.js';
import type { ContainerChoice } from '../../runtime/container/attach/attached-containers.js';
import { UsageError } from '../../usage-error.js';

interface NamedContainer {
  readonly pod: Pod;
  readonly name: string;
  readonly isRegular: boolean;
}

/** A command that runs as a container of a pod. */
export interface ProcessChoice {
  readonly pod: Pod;
  readonly container: string;
  readonly argv: Argv;
}

/**
 * Finds the containers that the words after `--` start: one command, or `NAME=command` for each of several, with `--`
 * between them. Throws a UsageError.
 */
export function processTargets(
  pods: readonly Pod[],
  commandLine: readonly string[] | undefined,
  name: string | undefined,
): readonly ProcessChoice[] {
  if (commandLine === undefined) {
    if (name === undefined) return [];
    throw new UsageError(`--container ${name} needs a command to run: add -- and the command`);
  }
  const [file = '', ...args] = commandLine;
  if (file === '') throw new UsageError('no command after --');
  const all = containersOf(pods, () => true);
  if (NAMED_COMMAND.test(file)) {
    if (name === undefined) return namedCommands(commandLine, all);
    throw new UsageError(`--container ${name} and ${file} both name a container: choose one`);
  }
  if (/^\w+=/.test(file)) {
    throw new UsageError(`${file} sets a variable; write -- env ${commandLine.join(' ')}`);
  }
  const none =
    name === undefined
      ? `which container does the command run as? Name one with --container, or write NAME=COMMAND for each ${listed(all)}`
      : noContainer(name, all);
  const matching = all.filter((each) =>
    name === undefined ? each.isRegular : isNamed(each, name),
  );
  const found = onlyOne(matching, name, none);
  return [{ pod: found.pod, container: found.name, argv: [file, ...args] }];
}

/** The first word of a container's own command: `app=node`, or `web/app=node`. */
export const NAMED_COMMAND = /^((?:[a-z0-9][a-z0-9.-]*\/)?[a-z0-9][a-z0-9-]*)=(.*)$/s;

function namedCommands(
  words: readonly string[],
  all: readonly NamedContainer[],
): readonly ProcessChoice[] {
  const starts = words.flatMap((word, at) =>
    at === 0 || (words[at - 1] === '--' && NAMED_COMMAND.test(word)) ? at : [],
  );
  const choices = starts.map((start, index): ProcessChoice => {
    const [, name = '', first = ''] = NAMED_COMMAND.exec(words[start] ?? '') ?? [];
    const next = starts[index + 1];
    const rest = words.slice(start + 1, next === undefined ? undefined : next - 1);
    const { pod, name: container } = onlyOne(
      all.filter((each) => isNamed(each, name)),
      name,
      noContainer(name, all),
    );
    return { pod, container, argv: argvOf(name, first, rest) };
  });
  for (const [index, { pod, container }] of choices.entries()) {
    const isSame = (other: ProcessChoice) => other.pod === pod && other.container === container;
    if (choices.findIndex(isSame) < index) {
      throw new UsageError(`two commands for container "${container}": it runs one`);
    }
  }
  return choices;
}

/** Returns the words of a command; a single word, such as `envoy='envoy -c x'`, is split as a shell would. */
function argvOf(name: string, first: string, rest: readonly string[]): Argv {
  const words = rest.length === 0 ? wordsOf(name, first) : [first, ...rest];
  const [file = '', ...args] = words[0] === '' ? rest : words;
  if (file === '') {
    throw new UsageError(`no command for container "${name}": write ${name}=COMMAND`);
  }
  return [file, ...args];
}

function wordsOf(name: string, text: string): readonly string[] {
  try {
    return split(text);
  } catch {
    throw new UsageError(`${name}=${text}: a quote is not closed`);
  }
}

/** Compares a container with `app`, or with `web/app`, which names its pod too. */
function isNamed({ pod, name }: NamedContainer, wanted: string): boolean {
  return wanted === name || wanted === `${pod.metadata.name}/${name}`;
}

/** Finds the container of the manifest for each `NAME` or `CONTAINER=NAME` of the command line. */
export function containerChoices(
  pods: readonly Pod[],
  texts: readonly string[],
): readonly ContainerChoice[] {
  const choices: ContainerChoice[] = [];
  for (const text of texts) {
    const choice = choiceOf(pods, text);
    const { podUID, container } = choice;
    if (choices.some((other) => other.podUID === podUID && other.container === container)) {
      throw new UsageError(`--docker names two containers for "${container}"`);
    }
    choices.push(choice);
  }
  return choices;
}

function choiceOf(pods: readonly Pod[], text: string): ContainerChoice {
  const at = text.indexOf('=');
  const [wanted, name] = at === -1 ? [undefined, text] : [text.slice(0, at), text.slice(at + 1)];
  if (name === '' || wanted === '') {
    throw new UsageError(`--docker "${text}": write NAME, or CONTAINER=NAME`);
  }
  // Regular containers and sidecars: other init containers do not keep running.
  const all = containersOf(pods, ({ restartPolicy }) => restartPolicy === 'Always');
  const regular = all.filter(({ isRegular }) => isRegular);
  const matching =
    wanted === undefined && regular.length === 1
      ? regular
      : all.filter((each) => isNamed(each, wanted ?? name));
  const none =
    wanted === undefined
      ? `which container is ${name}? Write CONTAINER=${name} ${listed(all)}`
      : noContainer(wanted, all);
  const found = onlyOne(matching, wanted ?? name, none);
  return { podUID: found.pod.metadata.uid, container: found.name, name };
}

function onlyOne(
  matching: readonly NamedContainer[],
  name: string | undefined,
  none: string,
): NamedContainer {
  const [found, another] = matching;
  if (found !== undefined && another === undefined) return found;
  throw new UsageError(
    found === undefined || name === undefined
      ? none
      : `${matching.length} pods have a container "${name}": name the pod too, ${matching[0]?.pod.metadata.name ?? ''}/${name}`,
  );
}

/** Returns the regular containers, then the init containers that count. */
function containersOf(
  pods: readonly Pod[],
  counts: (init: NonNullable<Pod['spec']['initContainers']>[number]) => boolean,
): readonly NamedContainer[] {
  return pods.flatMap((pod) => [
    ...pod.spec.containers.map(({ name }) => ({ pod, name, isRegular: true })),
    ...(pod.spec.initContainers ?? [])
      .filter(counts)
      .map(({ name }) => ({ pod, name, isRegular: false })),
  ]);
}

function noContainer(name: string, all: readonly NamedContainer[]): string {
  return `no container "${name}" ${listed(all)}`;
}

function listed(all: readonly NamedContainer[]): string {
  const isOnePod = all.every(({ pod }) => pod === all[0]?.pod);
  const names = all.map(({ pod, name }) => (isOnePod ? name : `${pod.metadata.name}/${name}`));
  return `(containers: ${names.join(', ')})`;
}
