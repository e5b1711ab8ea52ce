import { access } from 'node:fs/promises';

import { RuntimeError } from '../kubelet/ports.js';

/** Why a command could not be started, in the words of runc. */
export async function startError(file: string, error: unknown): Promise<RuntimeError> {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const quoted = `exec: ${JSON.stringify(file)}`;
  if (!file.includes('/') && (code === 'ENOENT' || code === 'EACCES')) {
    return new RuntimeError(`${quoted}: executable file not found in $PATH`);
  }
  switch (code) {
    case 'ENOENT':
      // A file that is there and cannot be found has an interpreter that is not.
      return (await exists(file))
        ? new RuntimeError(`exec ${file}: no such file or directory`)
        : new RuntimeError(`${quoted}: stat ${file}: no such file or directory`);
    case 'EACCES':
      return new RuntimeError(`${quoted}: permission denied`);
    case 'ENOEXEC':
      return new RuntimeError(`exec ${file}: exec format error`);
    default:
      return new RuntimeError(`${quoted}: ${message}`);
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
