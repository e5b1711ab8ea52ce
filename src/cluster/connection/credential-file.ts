import { readFileSync } from 'node:fs';

import { ClusterError } from '../cluster-error.js';

/** Returns the base64 data of the kubeconfig, or the content of a file. */
export function fileOrData(file: string | undefined, data: string | undefined): string | undefined {
  if (data !== undefined && data !== '') return Buffer.from(data, 'base64').toString();
  return file === undefined || file === '' ? undefined : readText(file);
}

/** @throws ClusterError */
export function readText(file: string, role = 'the kubeconfig names it'): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'no such file' : code === 'EACCES' ? 'permission denied' : code;
    throw new ClusterError('invalid', `${file}: ${why ?? 'cannot be read'} (${role})`);
  }
}
