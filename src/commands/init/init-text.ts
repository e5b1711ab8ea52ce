import { podKind } from '../../api/admission/index.js';
import type { Probe } from '../../api/index.js';
import { dumpYaml } from '../../manifest/documents/dump-yaml.js';
import { patchOf, type Suggestion } from '../../suggest/suggest.js';
import { escapeControl, shellWord } from '../../text/escape.js';
import { wrapText } from '../../text/line.js';
import type { Measured } from './measure.js';
import { STOP_LIMIT } from './started-command.js';

interface TextInput {
  /** The command line. */
  readonly words: string;
  readonly path: string;
  readonly from: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns a manifest of one pod, with the measured numbers as comments. */
export function manifestText(measured: Measured, { words, path, env }: TextInput): string {
  const { loaded, container, probed, suggestions } = measured;
  const variables = Object.entries(env)
    .filter(([name, value]) => /(?:^|_)PORT$/.test(name) && value === String(probed.port))
    .map(([name, value]) => ({ name, value }));
  const manifest = path === '-' ? 'pod.yaml' : shellWord(path);
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: loaded.pod.metadata.name },
    spec: {
      containers: [
        {
          name: container.name,
          image: container.image,
          ports: container.ports,
          ...(variables.length > 0 && { env: variables }),
          ...Object.fromEntries(suggestions.map(writtenProbe)),
        },
      ],
    },
  };
  const image = 'The image is a placeholder: name the one that runs this command.';
  return withComments(pod, {
    head: `Written by kprobe init: kprobe run ${manifest} -- ${words}`,
    notes: [image, ...notes(measured)],
    suggestions,
  });
}

/** Returns a strategic merge patch that adds the probes to the manifest. */
export function patchText(measured: Measured, { words, from = '' }: TextInput): string {
  const { loaded, suggestions } = measured;
  const { kind, name } = loaded.source;
  const known = podKind(kind) ?? { apiVersion: 'v1', kind, templatePath: '' };
  const changes = suggestions.map((each) => {
    const [, after] = writtenProbe(each);
    return { ...each, before: undefined, after };
  });
  const patch = patchOf(changes, { ...known, name }) ?? {};
  const container = changes[0]?.container ?? '';
  return withComments(patch, {
    head: `Apply it: kubectl patch --local -f ${shellWord(from)} --type strategic --patch-file PATCH.yaml -o yaml`,
    notes: [`Probes of container "${container}", measured with: ${words}`, ...notes(measured)],
    suggestions,
  });
}

/** Returns a probe's field without the defaults, which no measurement has given. */
function writtenProbe({ probe, after }: Suggestion): [string, Probe] {
  const { initialDelaySeconds: _, successThreshold: __, httpGet, ...rest } = after;
  const { scheme, ...plain } = httpGet ?? { port: 0 };
  const get = httpGet && { httpGet: scheme === 'HTTPS' ? httpGet : plain };
  return [`${probe}Probe`, { ...get, ...rest } as Probe];
}

function notes({ ports, probed, ignoresTerm, container }: Measured): string[] {
  const { answersAll = false, liveness, protocol } = probed;
  const isHTTP = protocol === 'http' || protocol === 'https';
  const local = ports.filter(({ isLoopback }) => isLoopback).map(({ port }) => port);
  const all = [
    local.length > 0 &&
      `It listens on 127.0.0.1 only (${local.join(', ')}): in a pod the kubelet dials the pod's address. Let it listen on 0.0.0.0.`,
    answersAll &&
      'It answers every path, even one that nobody has: add a path that fails when the server cannot work.',
    isHTTP &&
      liveness === undefined &&
      'No usual path answers with success, so the readiness probe only connects, and there is no liveness probe: add a path such as /healthz.',
    container.livenessProbe?.tcpSocket !== undefined &&
      'The probes only connect: a program that hangs still accepts connections.',
    ignoresTerm &&
      `It did not end within ${STOP_LIMIT} s of TERM: every restart waits for the grace period.`,
  ];
  return all.filter((text) => text !== false);
}

const COLUMNS = 96;

interface Comments {
  /** A command line, which is not wrapped. */
  readonly head: string;
  readonly notes: readonly string[];
  readonly suggestions: readonly Suggestion[];
}

function withComments(object: object, { head, notes, suggestions }: Comments): string {
  const yaml = dumpYaml(object).replace(
    /^( *)(?:- )?(startup|readiness|liveness)Probe:$/gm,
    (line: string, indent: string, probe: string) => {
      const reasons = suggestions.find((each) => each.probe === probe)?.reasons ?? [];
      return `${comments(reasons, indent)}${line}`;
    },
  );
  return `# ${escapeControl(head)}\n${comments(notes, '')}${yaml}`;
}

function comments(texts: readonly string[], indent: string): string {
  return texts
    .flatMap((text) => wrapText(escapeControl(text), COLUMNS - indent.length))
    .map((row) => `${indent}# ${row}\n`)
    .join('');
}
