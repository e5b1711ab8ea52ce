import type { Pod } from '../../../api/index.js';

/** A name that no other run has: the session is part of it. */
export function engineName(pod: Pod, what: string, session: string, attempt: number): string {
  const { namespace, name } = pod.metadata;
  const readable = `kprobe-${namespace}-${name}-${what}`.replace(/[^a-zA-Z0-9_.-]/g, '-');
  return `${readable.slice(0, 160)}-${session}-${attempt}`;
}
