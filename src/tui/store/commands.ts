import type { ContainerView } from '../../trace/summary/container-view.js';
import { chosenPod, podInView, podsInScope, withTab, workloadsOf } from './selection.js';
import {
  type Pressed,
  readsOnly,
  type Scope,
  type Snapshot,
  type Tab,
  withChosen,
  withOverlay,
} from './state.js';

/** The commands behind `:`, with the other names that k9s has for them. A prefix of a name is enough. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  ns: ['namespaces'],
  deploy: ['deployment', 'deployments', 'dp'],
  sts: ['statefulset', 'statefulsets'],
  ds: ['daemonset', 'daemonsets'],
  rs: ['replicaset', 'replicasets'],
  job: ['job', 'jobs'],
  pods: ['po'],
  pod: [],
  timeline: [],
  events: [],
  status: [],
  logs: [],
  keys: [],
  quit: [],
};
/** The commands of workloads, whose first other name is the kind. */
const WORKLOADS = ['deploy', 'sts', 'ds', 'rs', 'job'];

/** The effect of a command behind `:`, such as `ns shop`, `deploy web`, `events`, `pod web`, `logs app` or `q`. */
export function runCommand(snapshot: Snapshot, text: string): Pressed {
  const { ui } = snapshot;
  const [word = '', argument = ''] = text.trim().split(/\s+/);
  if (word === '') return { ui };
  const name = commandOf(word) ?? '';
  const kind = WORKLOADS.includes(name) ? COMMANDS[name]?.[0] : undefined;
  const say = (text: string): Pressed => ({ ui, effect: { kind: 'say', text } });
  if (kind !== undefined) return toScope(snapshot, 'workload', kind, argument);
  switch (name) {
    case '':
      return say(`no command ${word}; there are ${Object.keys(COMMANDS).join(', ')}`);
    case 'ns':
      return toScope(snapshot, 'namespace', 'namespace', argument);
    case 'quit':
      return { ui, effect: { kind: 'quit' } };
    case 'keys':
      return { ui: withOverlay(ui, { kind: 'help' }) };
    case 'pods':
      return {
        ...(snapshot.summary.pods.length === 1 && say('there is no other pod')),
        ui: { ...ui, pod: undefined, tab: 'pod', overlays: [] },
      };
    default:
      return argument === ''
        ? { ui: withTab(snapshot, name as Tab) }
        : (jumpTo(snapshot, name as Tab, argument) ??
            say(`no pod or container has the name ${argument}`));
  }
}

function commandOf(word: string): string | undefined {
  const names = Object.entries(COMMANDS);
  const found = (fits: (name: string) => boolean): string | undefined =>
    names.find(([name, others]) => [name, ...others].some(fits))?.[0];
  return found((name) => name === word) ?? found((name) => name.startsWith(word));
}

/** Lists the pods of a namespace, or of a workload in the namespace that is listed. */
function toScope(snapshot: Snapshot, key: keyof Scope, kind: string, name: string): Pressed {
  const { ui, summary, context } = snapshot;
  const [wanted, before, place] =
    key === 'workload'
      ? [`${kind}/${name}`, ui.scope, `belongs to ${kind}/${name}`]
      : [name, {}, `is in the namespace ${name}`];
  const scope: Scope = name === 'all' ? {} : { ...before, [key]: wanted };
  const listed = { ...ui, scope, pod: undefined, tab: 'pod' as const, overlays: [] };
  if (name === 'all' || (name !== '' && podsInScope({ ...snapshot, ui: listed }).length > 0)) {
    return { ui: listed };
  }
  const known = summary.pods.flatMap((pod) =>
    key === 'namespace'
      ? [pod.object.metadata.namespace]
      : workloadsOf(pod).flatMap((each) => (each.startsWith(`${kind}/`) ? [each] : [])),
  );
  const names = [...new Set(known)].sort().join(', ');
  const others =
    readsOnly(context) && key === 'namespace'
      ? '; kprobe watch -A watches all namespaces, -n NAME another one'
      : '';
  const missing = name === '' ? '' : `no pod here ${place}; `;
  const text = `${missing}${names === '' ? `no pod here has a ${kind}` : `here: ${names}`}${others}`;
  return { ui, effect: { kind: 'say', text } };
}

/** Jumps to a tab of a container of the pod in view, of a pod, or of a container of the chosen or another pod. */
function jumpTo(snapshot: Snapshot, tab: Tab, name: string): Pressed | undefined {
  const { summary, ui } = snapshot;
  const open = podInView(snapshot);
  const pod =
    summary.pods.find(({ key, object }) => [key, object.metadata.name].includes(name)) ??
    summary.pods.find(({ object }) => object.metadata.name.startsWith(name));
  const owners = open === undefined ? [chosenPod(snapshot), ...podsInScope(snapshot)] : [open];
  const fits = (container: ContainerView): boolean => container.name.startsWith(name);
  const owner = owners.find((each) => each?.containers.some(fits));
  const container = owner?.containers.find(fits);
  const isMeant = tab !== 'pod' && (open !== undefined || pod === undefined);
  if (owner !== undefined && container !== undefined && isMeant) {
    const chosen = withChosen(ui, owner.key, container.name);
    return { ui: { ...chosen, pod: owner.key, tab, overlays: [] } };
  }
  return pod && { ui: { ...ui, pod: pod.key, tab, overlays: [] } };
}
