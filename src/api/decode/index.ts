/**
 * JSON to objects of the API and back: strict decoding by the field tables, and defaults. For objects
 * that a server has accepted already; admission/index.ts checks others. Begin with `decode`.
 */
export { PROBE_DEFAULTS } from '../defaults/defaults.js';
export { setDefaultsPod, setDefaultsPodSpec } from '../defaults/pod.js';
export { encode } from '../schema/encode.js';
export { fieldsOf, type GoType } from '../schema/schema.js';
export {
  decode,
  type DecodedTypes,
  type DecodeIssue,
  decodeMessage,
  strictMessage,
} from './decode.js';
