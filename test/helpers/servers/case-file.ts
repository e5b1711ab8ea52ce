import type { Container, Probe } from '../../../src/api/index.js';
import { Fleet } from './fleet.js';
import type { ByteSpec, ServerSpec } from './spec.js';

export interface CaseSpec {
  readonly id: string;
  readonly probeType?: 'liveness' | 'readiness' | 'startup';
  readonly podIP?: string;
  readonly probe: Probe;
  readonly container?: Container;
  readonly processEnv?: Readonly<Record<string, string>>;
  readonly cri?: {
    readonly stdout?: ByteSpec;
    readonly stderr?: ByteSpec;
    readonly exitCode?: number;
    readonly code?: string;
    readonly message?: string;
  };
  readonly runner?: {
    readonly output?: ByteSpec;
    readonly exitStatus?: number;
    readonly error?: string;
    readonly timedOut?: string;
  };
  readonly followNonLocalRedirects?: boolean;
  readonly tags?: readonly string[];
  readonly unstable?: readonly string[];
}

interface RawFile {
  readonly servers: Readonly<Record<string, ServerSpec>>;
  readonly cases: readonly CaseSpec[];
}

export interface CaseFile {
  readonly fleet: Fleet;
  readonly cases: readonly CaseSpec[];
  /** The servers that a case can reach. */
  readonly refs: ReadonlyMap<string, readonly string[]>;
}

const PORT_NUMBER = /"\{PORT:([A-Za-z0-9_.-]+)\}"/g;
const PORT = /\{PORT(?:STR)?:([A-Za-z0-9_.-]+)\}/g;

/** Starts the servers of a case file and puts their ports in. */
export async function startCaseFile(text: string): Promise<CaseFile> {
  const skeleton = parse(text);
  const fleet = new Fleet();
  for (const [id, server] of Object.entries(skeleton.servers)) await fleet.reserve(id, server);
  const file = withPorts(text, (id) => fleet.server(id).port);
  for (const [id, spec] of Object.entries(file.servers)) fleet.server(id).spec = spec;
  const refs = new Map(
    skeleton.cases.map((each) => [each.id, reachable(each, skeleton.servers)] as const),
  );
  return { fleet, cases: file.cases, refs };
}

/** A case file with the ports of its servers. */
export function withPorts(text: string, portOf: (id: string) => number): RawFile {
  const digits = (_: string, id: string): string => String(portOf(id));
  return parse(text.replace(PORT_NUMBER, digits).replace(PORT, digits));
}

function parse(text: string): RawFile {
  return JSON.parse(text) as RawFile;
}

function reachable(each: CaseSpec, servers: RawFile['servers']): string[] {
  const seen = new Set<string>();
  const todo: unknown[] = [each];
  for (let spec = todo.shift(); spec !== undefined; spec = todo.shift()) {
    for (const [, id = ''] of JSON.stringify(spec).matchAll(PORT)) {
      if (seen.has(id)) continue;
      seen.add(id);
      todo.push(servers[id]);
    }
  }
  return [...seen];
}
