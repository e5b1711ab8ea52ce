import { RuntimeError } from '../kubelet/ports.js';

/** Why an executable that is there could not be started, in the words of runc. */
export function startError(name: string, error: unknown): RuntimeError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOENT':
      // Its interpreter is not there.
      return new RuntimeError(`exec ${name}: no such file or directory`);
    case 'EACCES':
      return new RuntimeError(`exec ${name}: permission denied`);
    case 'E2BIG':
      return new RuntimeError(`exec ${name}: argument list too long`);
    default:
      return new RuntimeError(`exec ${name}: ${message}`);
  }
}
