import type { ReportedRule } from '../report/report.js';

/** What `kprobe validate` finds. */
export const VALIDATE_RULES: readonly ReportedRule[] = [
  { id: 'syntax', description: 'The text is not YAML or JSON.' },
  { id: 'not-an-object', description: 'It is not an object with apiVersion and kind.' },
  { id: 'unknown-kind', description: 'No API server has this kind in this version.' },
  { id: 'kind', description: 'Nothing is known of objects of this kind.' },
  { id: 'unknown-field', description: 'The object has no such field.' },
  { id: 'duplicate-field', description: 'A field is set twice.' },
  { id: 'wrong-type', description: 'A value has another type than its field.' },
  { id: 'required', description: 'A field must have a value.' },
  { id: 'invalid', description: 'The value is not allowed.' },
  { id: 'not-supported', description: 'The value is not one of those that there are.' },
  { id: 'forbidden', description: 'The field may not be set here.' },
  { id: 'duplicate', description: 'A value must be unique, and stands twice.' },
  { id: 'not-found', description: 'The value names something that is not there.' },
  { id: 'too-long', description: 'The value is too long.' },
  { id: 'too-many', description: 'There are too many values.' },
  { id: 'api-warning', description: 'The API server takes it, but warns.' },
];
