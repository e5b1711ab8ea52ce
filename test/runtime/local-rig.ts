import { fileURLToPath } from 'node:url';

import { vi } from 'vitest';

import type { Container, Pod } from '../../src/api/index.js';
import type { Clock } from '../../src/clock/clock.js';
import { RealClock } from '../../src/clock/real-clock.js';
import type { ContainerConfig, RuntimeContainerStatus } from '../../src/kubelet/ports.js';
import type { Exit } from '../../src/kubelet/traced-runtime.js';
import type { Argv } from '../../src/runtime/backing.js';
import type { Host } from '../../src/runtime/host.js';
import { LocalRuntime, type LocalRuntimeOptions } from '../../src/runtime/local-runtime.js';

/** Milliseconds. */
const PATIENCE = 120_000;

export const HOST: Host = {
  env: process.env,
  cwd: process.cwd(),
  kill: (pid, name) => process.kill(pid, name),
};

/** The path of a script of test/fixtures/processes. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/processes/${name}`, import.meta.url));
}

export function node(script: string, ...args: readonly string[]): Argv {
  return [process.execPath, fixture(script), ...args];
}

export function aContainer(overrides: Partial<Container> = {}): Container {
  return { name: 'app', image: 'example/app:1', ...overrides };
}

export function aPod(container = aContainer(), overrides: Partial<Pod['spec']> = {}): Pod {
  return {
    metadata: { name: 'web', namespace: 'default', uid: 'uid-web' },
    spec: { containers: [container], restartPolicy: 'Always', ...overrides },
    status: {},
  };
}

export function aConfig(pod: Pod, overrides: Partial<ContainerConfig> = {}): ContainerConfig {
  return {
    pod,
    container: pod.spec.containers[0]!,
    sandboxID: 'sandbox-0',
    restartCount: 0,
    hash: 'hash',
    imageRef: 'example/app:1',
    podIPs: ['127.0.0.1'],
    ...overrides,
  };
}

interface Line {
  readonly id: string;
  readonly stream: 'stdout' | 'stderr';
  readonly text: string;
}

/** A local runtime that records its exits and output. */
export class LocalRig {
  readonly lines: Line[] = [];
  readonly exits: (Exit & { readonly id: string })[] = [];
  readonly runtime: LocalRuntime;
  readonly clock: Clock;

  constructor(overrides: Partial<LocalRuntimeOptions> = {}) {
    this.clock = overrides.clock ?? new RealClock();
    this.runtime = new LocalRuntime({
      name: 'process',
      clock: this.clock,
      host: HOST,
      backingFor: () => ({ kind: 'attached' }),
      address: '127.0.0.1',
      node: { name: 'node', hostIPs: ['127.0.0.1'], allocatable: {} },
      config: { configMaps: [], secrets: [] },
      listener: {
        onExit: (id, exit) => this.exits.push({ id, ...exit }),
        onOutput: (id, stream, text) => this.lines.push({ id, stream, text }),
        onMessage: () => undefined,
        onNote: () => undefined,
        onFound: () => undefined,
      },
      ...overrides,
    });
  }

  /** A runtime whose containers all run this command. */
  static of(argv: Argv, overrides: Partial<LocalRuntimeOptions> = {}): LocalRig {
    return new LocalRig({ backingFor: () => ({ kind: 'process', argv }), ...overrides });
  }

  async create(config = aConfig(aPod())): Promise<string> {
    return this.runtime.createContainer(config);
  }

  async start(config = aConfig(aPod())): Promise<string> {
    const id = await this.create(config);
    await this.runtime.startContainer(id);
    return id;
  }

  /** Waits for a line that starts with `begin` and returns the rest of it. */
  line(begin: string): Promise<string> {
    return vi.waitFor(
      () => {
        const found = this.lines.find(({ text }) => text.startsWith(begin));
        if (found === undefined) throw new Error(`no line begins with ${begin}`);
        return found.text.slice(begin.length).trim();
      },
      { timeout: PATIENCE, interval: 5 },
    );
  }

  texts(stream: Line['stream'] = 'stdout'): readonly string[] {
    return this.lines.filter((line) => line.stream === stream).map(({ text }) => text);
  }

  /** Waits for the exit of a container. */
  async ended(id: string): Promise<RuntimeContainerStatus> {
    await vi.waitFor(
      () => {
        if (!this.exits.some((exit) => exit.id === id)) throw new Error(`${id} has not ended`);
      },
      { timeout: PATIENCE, interval: 5 },
    );
    return this.status(id);
  }

  async status(id: string): Promise<RuntimeContainerStatus> {
    const pods = await this.runtime.getPods();
    const statuses = await Promise.all(pods.map((pod) => this.runtime.getPodStatus(pod)));
    return statuses.flatMap((s) => s.containerStatuses).find((status) => status.id === id)!;
  }
}
