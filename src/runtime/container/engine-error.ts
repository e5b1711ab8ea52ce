import { RuntimeError } from '../../kubelet/ports.js';
import type { EngineKind } from './engine-kind.js';

/** The result of a CLI call. */
export type CallEnd =
  | {
      readonly kind: 'exited';
      readonly exitCode: number;
      readonly stdout: Uint8Array;
      readonly stderr: Uint8Array;
    }
  | { readonly kind: 'timedOut' }
  /** The CLI itself could not be started. */
  | { readonly kind: 'notStarted'; readonly code: string };

const UNREACHABLE =
  /cannot connect to the docker daemon|error during connect|connection refused|connect: no such file|is the docker daemon running|unable to connect to podman/i;
const DENIED = /permission denied while trying to connect|dial unix .*: permission denied/i;
const NOT_FOUND =
  /no such (?:container|object|image|volume)|no container with (?:name|id)|image not known|not found/i;

/** Warnings of the CLI about itself. */
const WARNINGS = /^WARNING: .*\n/gm;

/** Returns true when a call failed because the engine itself is unreachable. */
export function isUnreachable(kind: EngineKind, end: CallEnd): boolean {
  switch (end.kind) {
    case 'timedOut':
    case 'notStarted':
      return true;
    case 'exited': {
      if (end.exitCode === 0) return false;
      const said = textOf(kind, end.stderr);
      return UNREACHABLE.test(said) || DENIED.test(said);
    }
  }
}

/** Returns the error of a failed call, for people and for the kubelet's events. */
export function engineError(kind: EngineKind, end: CallEnd): RuntimeError {
  switch (end.kind) {
    case 'timedOut':
      return new RuntimeError(`${kind.name} did not answer in time`);
    case 'notStarted':
      return new RuntimeError(notStarted(kind, end.code));
    case 'exited': {
      const said = textOf(kind, end.stderr) || `${kind.name} ended with exit code ${end.exitCode}`;
      // A web page.
      if (said.startsWith('<')) {
        return new RuntimeError(`${kind.name} is set to a server that is not a container engine`);
      }
      if (DENIED.test(said)) return new RuntimeError(`this user may not use ${kind.name}: ${said}`);
      return new RuntimeError(
        said,
        NOT_FOUND.test(said) && !UNREACHABLE.test(said) ? 'notFound' : 'failed',
      );
    }
  }
}

/** Returns the error of a call to an engine's socket, by its code in Node or undici. */
export function socketError({ name }: EngineKind, endpoint: string, code: string): RuntimeError {
  if (code.endsWith('_TIMEOUT')) return new RuntimeError(`${name} did not answer in time`);
  if (code === 'EACCES') {
    const why = `permission denied while trying to connect to its socket at ${endpoint}`;
    return new RuntimeError(`this user may not use ${name}: ${why}`);
  }
  if (code.startsWith('HPE_')) {
    return new RuntimeError(`${endpoint} is not the socket of a container engine`);
  }
  return new RuntimeError(
    name === 'docker'
      ? `Cannot connect to the Docker daemon at ${endpoint}. Is the docker daemon running?`
      : `cannot connect to podman at ${endpoint}: is its service running?`,
  );
}

function notStarted({ name }: EngineKind, code: string): string {
  switch (code) {
    case 'ENOENT':
      return `${name} is not installed, or not on the PATH: install it, or choose another engine with --runtime`;
    case 'EACCES':
      return `${name} may not be run by this user`;
    default:
      return `${name} could not start: ${code}`;
  }
}

/** Returns the engine's message without the CLI's decoration. */
function textOf(kind: EngineKind, stderr: Uint8Array): string {
  const text = new TextDecoder().decode(stderr).replace(WARNINGS, '').trim();
  const [first = ''] = text.split(/\n\n|\nSee '|\nRun '/);
  return first.replace(kind.errorPrefix, '').trim();
}
