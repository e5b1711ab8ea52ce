import { EventRecorder } from '../../src/trace/event.js';

/** A recorder, and what it told: `app Normal Killing: Stopping container app`. */
export function fakeRecorder(): { recorder: EventRecorder; told: string[] } {
  const told: string[] = [];
  const recorder = new EventRecorder((event) => {
    if (event.kind !== 'event') return;
    const about = /\{(.*)\}/.exec(event.fieldPath ?? '')?.[1] ?? 'pod';
    told.push(`${about} ${event.type} ${event.reason}: ${event.message}`);
  });
  return { recorder, told };
}
