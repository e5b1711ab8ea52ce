import { countdown } from '../../text/duration.js';
import type { Diagnosis } from '../fault.js';
import { faultText, withChange } from './fault-text.js';
import { outlookText } from './outlook-text.js';
import { joined, withReason } from './parts.js';
import { failuresText, failureText } from './run-text.js';

/** `app restarted 2 ×: liveness 3 × timeout at 1 s; …` */
export function headline(diagnosis: Diagnosis): string {
  const { symptom } = diagnosis;
  const [effect, reason] = [symptomText(diagnosis), reasonText(diagnosis)];
  // The failures of this run are not those that had earlier ones killed.
  const isAnother = 'kills' in symptom && symptom.kills > 0 && reason !== '';
  return isAnother ? joined([effect, reason]) : withReason(effect, reason);
}

/** The headline in a list of pods, which has little room: it shows already that a pod waits, and an only container needs no name. */
export function troubleText(diagnosis: Diagnosis, isOnly: boolean): string {
  const container = isOnly ? '' : diagnosis.subject.container;
  const named = { ...diagnosis, subject: { ...diagnosis.subject, container } };
  return diagnosis.symptom.kind === 'waiting'
    ? withReason(container, reasonText(diagnosis))
    : headline(named);
}

/** The whole diagnosis in one line: what fails and why, what comes next, and the change that helps. */
export function diagnosisText(diagnosis: Diagnosis): string {
  const { next } = diagnosis;
  const then = next === undefined ? '' : ` → ${outlookText(next)}`;
  return withChange(`${headline(diagnosis)}${then}`, diagnosis);
}

/** Returns the cause of a diagnosis in words, without the container that it is about. */
export function causeText(diagnosis: Diagnosis): string {
  return withChange(reasonText(diagnosis), diagnosis);
}

/** The effect of a diagnosis: `app killed 2 ×`; the name alone while it has not been restarted. */
export function symptomText(diagnosis: Diagnosis): string {
  const { subject, symptom, fault, urgency } = diagnosis;
  const { container } = subject;
  const name = container === '' ? '' : `${container} `;
  switch (symptom.kind) {
    case 'cannotStart':
      return urgency === 'past' ? container : `${name}cannot start`;
    case 'ended': {
      const { exitCode, times } = symptom;
      if (fault.kind === 'hookFailed') return `${name}killed ${times} ×`;
      const exit = exitCode === undefined ? '' : ` (exit ${exitCode})`;
      const verb = exitCode === 0 ? 'exited' : fault.kind === 'reportedKill' ? 'ended' : 'crashed';
      return `${name}${verb} ${times} ×${exit}`;
    }
    case 'killed':
      return `${name}killed ${symptom.times} ×${symptom.by === 'startup' ? ' while starting' : ''}`;
    case 'failing':
    case 'erroring':
      return symptom.kills === 0 ? container : `${name}killed ${symptom.kills} ×`;
    case 'waiting':
      return container === '' ? 'the pod waits' : `the pod waits for ${container}`;
    case 'podFailed':
      return 'the pod failed';
    case 'disrupted':
      return 'the pod is taken away';
    case 'working':
      return container;
  }
}

/** The failures of a container or probe, and their cause. */
export function reasonText(diagnosis: Diagnosis): string {
  const { symptom, evidence, urgency } = diagnosis;
  const failures = evidence.find((each) => each.kind === 'failures');
  const text = faultText(diagnosis);
  if (urgency === 'past') return pastText(diagnosis);
  switch (symptom.kind) {
    case 'killed':
      return joined([failures && failuresText(failures), text]) || `the ${symptom.by} probe failed`;
    case 'failing':
      return joined([failures && failuresText(failures), text]);
    case 'erroring': {
      const error = evidence.find((each) => each.kind === 'error');
      return joined([`${symptom.probe} errors`, text || error?.text]);
    }
    default:
      return text;
  }
}

function pastText(diagnosis: Diagnosis): string {
  const { evidence, symptom, fault } = diagnosis;
  const failures = evidence.find((each) => each.kind === 'failures');
  if (failures !== undefined) return `the run before: ${failuresText(failures)}`;
  const end = evidence.find((each) => each.kind === 'end');
  const run = end === undefined ? '' : `run ${end.run}: `;
  if (symptom.kind === 'ended' && symptom.exitCode === 0) return `${run}exited by itself`;
  if (symptom.kind === 'cannotStart') return `${run}not started: ${faultText(diagnosis)}`;
  return `${run}${fault.kind === 'crashed' ? 'crashed: ' : ''}${faultText(diagnosis)}`;
}

/** The condition that a rollout waits for: `waiting for readiness of web-7d4-x app: HTTP 503 for 41 s; …`, or without the time. */
export function waitingText(pod: string, diagnosis: Diagnosis, since?: number): string {
  const { subject, symptom, evidence, fault } = diagnosis;
  if (fault.kind === 'unschedulable') return `${pod} cannot be scheduled: ${fault.text}`;
  const { probe } = subject;
  if (probe === undefined) return `${pod}: ${headline(diagnosis)}`;
  const goal = probe === 'liveness' ? `${pod}: ` : `waiting for ${probe} of ${pod} `;
  const failures = evidence.find((each) => each.kind === 'failures');
  const lasts = since === undefined ? '' : ` for ${countdown(since)}`;
  const effect = `${goal}${symptomText(diagnosis)}`;
  if (symptom.kind !== 'failing' || failures === undefined) {
    return `${withReason(effect, reasonText(diagnosis))}${lasts}`;
  }
  return withReason(effect, joined([`${failureText(failures)}${lasts}`, faultText(diagnosis)]));
}
