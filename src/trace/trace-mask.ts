import { allContainers, type Container, mapLeaves, type Pod } from '../api/index.js';
import type { AttemptDetail, AttemptOutcome } from '../kubelet/ports.js';
import { expandContainerCommandOnlyStatic } from '../kubelet/prober/exec-probe.js';
import { isKeyLine, MASK } from '../secrets/credential-text.js';
import { KnownSecrets, maskObject } from '../secrets/known-secrets.js';
import type { LineOf, TraceLine } from './trace-line.js';

/** Masks the secrets of a trace line by line; a pod's secrets are known from its line on. */
export class TraceMask {
  /** Commands with expanded variables, and their masked form. */
  readonly #commands = new Map<string, string>();

  /** Takes secrets that are known in advance, such as values of Secrets. */
  constructor(private readonly secrets = new KnownSecrets()) {}

  pod(pod: Pod): Pod {
    const masked = maskObject(pod, this.secrets);
    const [before, after] = [allContainers(pod.spec), allContainers(masked.spec)];
    before.forEach((container, index) => this.#addCommands(container, after[index] ?? container));
    return masked;
  }

  line(line: TraceLine): TraceLine {
    switch (line.kind) {
      case 'pod':
        return { ...line, object: this.pod(line.object) };
      case 'exec':
      case 'execDone': {
        const command = this.#command(line.command);
        if ('error' in line) return { ...line, command, error: this.text(line.error) };
        return command === line.command ? line : { ...line, command };
      }
      case 'attemptDone': {
        const hasNoText =
          line.output === '' && line.error === undefined && line.detail === undefined;
        return hasNoText ? line : { ...line, ...this.outcome(line) };
      }
      case 'status':
        return this.#status(line);
      case 'event':
        return { ...line, message: this.text(line.message) };
      case 'listening':
        return {
          ...line,
          processes: line.processes.map((each) => this.#command(each)),
          ...(line.unix !== undefined && { unix: line.unix.map((each) => this.text(each)) }),
        };
      case 'exited':
        return line.left === undefined
          ? line
          : { ...line, left: line.left.map((each) => this.#command(each)) };
      case 'trial':
        return { ...line, to: maskObject(line.to, this.secrets, 'httpHeaders') };
      case 'output':
        return { ...line, text: isKeyLine(line.text) ? MASK : this.text(line.text) };
      case 'note':
        return { ...line, text: this.text(line.text) };
      case 'workload':
        return { ...line, sentence: this.text(line.sentence) };
      case 'startFailed':
        return { ...line, error: this.text(line.error) };
      case 'hookDone':
      case 'runtime':
        return line.error === undefined ? line : { ...line, error: this.text(line.error) };
      default:
        return line;
    }
  }

  #status(line: LineOf<'status'>): TraceLine {
    const conditions = Object.entries(line.conditions).map(([type, text]) => [
      type,
      this.text(text),
    ]);
    return {
      ...line,
      conditions: Object.fromEntries(conditions) as typeof line.conditions,
      podStatus: maskObject(line.podStatus, this.secrets),
    };
  }

  text(text: string): string {
    return this.secrets.text(text);
  }

  texts<T>(data: T): T {
    return mapLeaves(data, (leaf) => (typeof leaf === 'string' ? this.text(leaf) : leaf));
  }

  bytes(bytes: Uint8Array): Uint8Array {
    return this.secrets.bytes(bytes);
  }

  outcome({
    output,
    error,
    detail,
  }: AttemptOutcome): Pick<AttemptOutcome, 'output' | 'error' | 'detail'> {
    return {
      output: this.text(output),
      ...(error !== undefined && { error: this.text(error) }),
      ...(detail !== undefined && { detail: this.#detail(detail) }),
    };
  }

  #detail(detail: AttemptDetail): AttemptDetail {
    const { address, request, response, body } = detail;
    return {
      ...detail,
      address: this.#command(address),
      ...(request !== undefined && { request: this.secrets.headers(request) }),
      ...(response !== undefined && { response: this.secrets.headers(response) }),
      ...(body !== undefined && { body: this.bytes(body) }),
    };
  }

  #command(line: string): string {
    return this.#commands.get(line) ?? this.secrets.commandLine(line);
  }

  #addCommands(container: Container, masked: Container): void {
    const [before, after] = [commandsOf(container), commandsOf(masked)];
    before.forEach((command, index) => {
      const shown = after[index] ?? '';
      this.#commands.set(command, shown);
      this.secrets.addReplacement(command, shown);
    });
  }
}

/** Returns the command lines of probes and hooks as they are run. */
function commandsOf(container: Container): readonly string[] {
  const { startupProbe, readinessProbe, livenessProbe, lifecycle, env } = container;
  return [startupProbe, readinessProbe, livenessProbe, lifecycle?.postStart, lifecycle?.preStop]
    .map((handler) => handler?.exec?.command ?? [])
    .map((command) => expandContainerCommandOnlyStatic(command, env).join(' '));
}
