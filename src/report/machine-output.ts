import { diagnosisJson } from '../diagnosis/diagnosis-json.js';
import type { IsSimulated } from '../diagnosis/outlook.js';
import { printableJson } from '../text/escape.js';
import { lineEncoder, traceEnd, type TraceHeader } from '../trace/trace-record.js';
import { DiagnosisChanges } from './diagnosis-changes.js';
import type { Renderer, Write } from './renderer.js';

/** The trace, and the diagnoses of a pod after each line that changes them; none without `isSimulated`. */
export function createJson(write: Write, header: TraceHeader, isSimulated?: IsSimulated): Renderer {
  const encode = lineEncoder();
  const changes = new DiagnosisChanges(isSimulated);
  write(`${encode(header)}\n`);
  return {
    line(line, summary) {
      write(`${encode(line)}\n`);
      const { pod, diagnoses = [] } = changes.line(line, summary) ?? {};
      if (pod === undefined) return;
      const found = { kind: 'diagnosis', pod: pod.key, diagnoses: diagnoses.map(diagnosisJson) };
      write(`${printableJson({ t: line.t, ...found })}\n`);
    },
    end: (ending, { t }) => write(`${encode(traceEnd(ending, t))}\n`),
  };
}
