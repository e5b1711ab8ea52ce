import { diagnosisJson } from '../diagnosis/diagnosis-json.js';
import type { IsSimulated } from '../diagnosis/outlook.js';
import { printableJson } from '../text/escape.js';
import { lineEncoder, traceEnd, type TraceHeader } from '../trace/trace-record.js';
import { type DiagnosisChange, DiagnosisChanges } from './diagnosis-changes.js';
import type { Renderer, Write } from './renderer.js';

/** The trace, and the diagnoses of a pod after each line that changes them; none without `isSimulated`. */
export function createJson(write: Write, header: TraceHeader, isSimulated?: IsSimulated): Renderer {
  const encode = lineEncoder();
  const changes = new DiagnosisChanges(isSimulated);
  const show = ({ t, pod, diagnoses }: DiagnosisChange): void => {
    const found = { kind: 'diagnosis', pod: pod.key, diagnoses: diagnoses.map(diagnosisJson) };
    write(`${printableJson({ t, ...found })}\n`);
  };
  const pass = (t: number): void => changes.pass(t).forEach(show);
  write(`${encode(header)}\n`);
  return {
    pass,
    line(line, summary) {
      pass(line.t);
      write(`${encode(line)}\n`);
      const change = changes.line(line, summary);
      if (change !== undefined) show(change);
    },
    end: (ending, { t }) => write(`${encode(traceEnd(ending, t))}\n`),
  };
}
