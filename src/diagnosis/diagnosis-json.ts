import { mapLeaves } from '../api/index.js';
import type { ProbeType } from '../trace/event.js';
import type { Change } from './change.js';
import type { Diagnosis, Evidence, Finding } from './fault.js';
import type { NextStep } from './next-step.js';
import { changeText, faultText, outlookText, reasonText } from './words.js';

/** A diagnosis for programs. A single attempt has no symptom, no urgency and no next step. */
export interface DiagnosisJson extends Partial<Pick<Diagnosis, 'symptom' | 'urgency'>> {
  readonly subject: {
    readonly pod: string;
    /** Empty for a diagnosis of the whole pod. */
    readonly container: string;
    readonly probe?: ProbeType | undefined;
  };
  readonly fault: Finding['fault'];
  readonly certainty: Finding['certainty'];
  /** The fault in words; empty where the failure says all that is known. */
  readonly cause: string;
  readonly evidence: readonly Evidence[];
  /** The kubelet's next step, and the same in words. */
  readonly next?: (NextStep & { readonly text: string }) | undefined;
  /** The best first, each with its sentence. */
  readonly changes: readonly (Change & { readonly text: string })[];
}

export function diagnosisJson(diagnosis: Diagnosis): DiagnosisJson {
  const { subject, symptom, urgency, next } = diagnosis;
  const json: DiagnosisJson = {
    ...findingJson(diagnosis, subject, reasonText(diagnosis)),
    symptom,
    urgency,
    ...(next !== undefined && { next: { ...next.step, text: outlookText(next) } }),
  };
  return mapLeaves(json, rounded);
}

/** Rounds a number to three digits, as those of a trace. */
function rounded(leaf: unknown): unknown {
  return typeof leaf === 'number' ? Math.round(leaf * 1000) / 1000 : leaf;
}

export function findingJson(
  finding: Finding,
  subject: DiagnosisJson['subject'],
  cause = faultText(finding),
): DiagnosisJson {
  const { fault, certainty, evidence, changes } = finding;
  const texts = changes.map((change) => ({ ...change, text: changeText(change) }));
  return { subject, fault, certainty, cause, evidence, changes: texts };
}
