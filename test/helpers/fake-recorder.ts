import { EventRecorder } from '../../src/kubelet/event-recorder.js';

/** A recorder, and what it has recorded: `app Normal Killing: Stopping container app`. */
export function fakeRecorder(): { recorder: EventRecorder; recorded: string[] } {
  const recorded: string[] = [];
  const recorder = new EventRecorder((event) => {
    if (event.kind !== 'event') return;
    const subject = /\{(.*)\}/.exec(event.fieldPath ?? '')?.[1] ?? 'pod';
    recorded.push(`${subject} ${event.type} ${event.reason}: ${event.message}`);
  });
  return { recorder, recorded };
}
