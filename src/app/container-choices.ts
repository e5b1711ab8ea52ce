import type { Pod } from '../api/index.js';
import type { ContainerChoice } from '../runtime/container/attach/attached-view.js';

export type Choices =
  | { readonly kind: 'choices'; readonly choices: readonly ContainerChoice[] }
  /** What to say to the user. */
  | { readonly kind: 'error'; readonly message: string };

/** Which container of the manifest each `NAME` or `CONTAINER=NAME` of the command line stands for. */
export function containerChoices(pods: readonly Pod[], texts: readonly string[]): Choices {
  const choices: ContainerChoice[] = [];
  for (const text of texts) {
    const found = choiceOf(pods, text);
    if (typeof found === 'string') return { kind: 'error', message: found };
    if (choices.some((c) => c.podUID === found.podUID && c.container === found.container)) {
      return { kind: 'error', message: `${found.container} is given two containers` };
    }
    choices.push(found);
  }
  return { kind: 'choices', choices };
}

function choiceOf(pods: readonly Pod[], text: string): ContainerChoice | string {
  const at = text.indexOf('=');
  const [wanted, name] = at === -1 ? [undefined, text] : [text.slice(0, at), text.slice(at + 1)];
  if (name === '' || wanted === '') return `"${text}": write NAME, or CONTAINER=NAME`;
  const all = pods.flatMap((pod) => namesIn(pod).map((container) => ({ pod, container })));
  const regular = all.filter(({ pod, container }) =>
    pod.spec.containers.some((c) => c.name === container),
  );
  const matching =
    wanted === undefined && regular.length === 1
      ? regular
      : all.filter(({ container }) => container === (wanted ?? name));
  const [found, another] = matching;
  if (found !== undefined && another === undefined) {
    return { podUID: found.pod.metadata.uid, container: found.container, name };
  }
  const names = [...new Set(all.map(({ container }) => container))].join(', ');
  if (found !== undefined) {
    return `${matching.length} pods have a container ${found.container}: give a manifest with one of them`;
  }
  if (wanted !== undefined) return `no container ${wanted}: there is ${names}`;
  return `which container does ${name} stand for? Write CONTAINER=${name}, with one of ${names}`;
}

/** The containers that run on: regular ones and sidecars. */
function namesIn({ spec }: Pod): string[] {
  const sidecars = (spec.initContainers ?? []).filter((c) => c.restartPolicy === 'Always');
  return [...spec.containers, ...sidecars].map(({ name }) => name);
}
