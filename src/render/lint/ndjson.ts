import type { Diagnostic } from '../../manifest/diagnostic.js';
import { diagnosticJson } from '../report/json.js';

/** A diagnostic as a line of NDJSON, with its line break. */
export function diagnosticLine(diagnostic: Diagnostic): string {
  return `${JSON.stringify({ file: diagnostic.file, ...diagnosticJson(diagnostic) })}\n`;
}
