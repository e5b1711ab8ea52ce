import type { ServerConn } from './server-conn.js';
import { bytesOfSpec, type Step } from './spec.js';

/** Plays a script on a connection. */
export async function runScript(
  conn: ServerConn,
  script: readonly Step[],
  record: (raw: string) => void,
): Promise<void> {
  for (const step of script) {
    const goesOn = await runStep(conn, step, record);
    if (goesOn === 'ended') return;
    if (goesOn === 'closeNow') break;
  }
  await conn.finish('close');
}

async function runStep(
  conn: ServerConn,
  step: Step,
  record: (raw: string) => void,
): Promise<'next' | 'ended' | 'closeNow'> {
  const on = (alive: boolean): 'next' | 'ended' => (alive ? 'next' : 'ended');
  switch (step.do) {
    case 'readHead': {
      const head = await conn.readHead();
      if (head !== undefined) record(head);
      return head === undefined ? 'closeNow' : 'next';
    }
    case 'read': {
      const bytes = step.bytes ?? 0;
      while (conn.buffer.length < bytes) if (!(await conn.fill())) return 'closeNow';
      conn.take(bytes);
      return 'next';
    }
    case 'write':
      return on(await conn.write(bytesOfSpec(step.data)));
    case 'drip':
      return on(await conn.drip(bytesOfSpec(step.data), step.bytes ?? 1, step.everyMs ?? 0));
    case 'endless':
      await conn.writeForever(bytesOfSpec(step.data), step.everyMs);
      return 'ended';
    case 'sleep':
      return on(await conn.sleep(step.ms ?? 0));
    case 'drain':
      await conn.drain();
      return 'next';
    case 'close':
    case 'fin':
    case 'rst':
    case 'hold':
      await conn.finish(step.do);
      return 'ended';
  }
}
