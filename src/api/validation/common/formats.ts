/* Ported from apimachinery pkg/util/validation/validation.go, with its names. */

import { byteLength } from '../../../go/text.js';

/** The errors of a text; empty if it is valid. */
export type Complaints = readonly string[];

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = String.raw`${LABEL}(\.${LABEL})*`;
const LABEL_WITH_UNDERSCORE = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const SUBDOMAIN_WITH_UNDERSCORE = String.raw`${LABEL_WITH_UNDERSCORE}(\.${LABEL_WITH_UNDERSCORE})*`;
const LABEL_KEY = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${LABEL_KEY})?`;
const HEADER_NAME = '[-A-Za-z0-9]+';
const CONFIG_MAP_KEY = '[-._a-zA-Z0-9]+';

const LABEL_MAX_LENGTH = 63;
/** Ports MaxLenError of the package content, which says bytes where the older package says characters. */
const TOO_MANY_BYTES = `must be no more than ${LABEL_MAX_LENGTH} bytes`;
const SUBDOMAIN_MAX_LENGTH = 253;

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const LABEL_REGEXP = whole(LABEL);
const SUBDOMAIN_REGEXP = whole(SUBDOMAIN);
const LABEL_KEY_REGEXP = whole(LABEL_KEY);
const LABEL_VALUE_REGEXP = whole(LABEL_VALUE);
const HEADER_NAME_REGEXP = whole(HEADER_NAME);
const CONFIG_MAP_KEY_REGEXP = whole(CONFIG_MAP_KEY);

export function inclusiveRangeError(min: number, max: number): string {
  return `must be between ${min} and ${max}, inclusive`;
}

export function regexError(message: string, pattern: string, ...examples: string[]): string {
  const used = `regex used for validation is '${pattern}')`;
  if (examples.length === 0) return `${message} (${used}`;
  return `${message} (e.g. ${examples.map((each) => `'${each}', `).join(' or ')}${used}`;
}

export function isDNS1123Label(value: string): Complaints {
  const complaints = tooLong(value, LABEL_MAX_LENGTH);
  if (LABEL_REGEXP.test(value)) return complaints;
  if (SUBDOMAIN_REGEXP.test(value)) return [...complaints, 'must not contain dots'];
  const message =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  return [...complaints, regexError(message, LABEL, 'my-name', '123-abc')];
}

export function isDNS1123Subdomain(value: string): Complaints {
  return subdomainComplaints(value, SUBDOMAIN, "'-' or '.'");
}

export function isDNS1123SubdomainWithUnderscore(value: string): Complaints {
  return subdomainComplaints(value, SUBDOMAIN_WITH_UNDERSCORE, "'_', '-' or '.'");
}

function subdomainComplaints(value: string, pattern: string, others: string): Complaints {
  const complaints = tooLong(value, SUBDOMAIN_MAX_LENGTH);
  if (whole(pattern).test(value)) return complaints;
  const message = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, ${others}, and must start and end with an alphanumeric character`;
  return [...complaints, regexError(message, pattern, 'example.com')];
}

/** Ports IsLabelKey, once IsQualifiedName (apimachinery pkg/api/validate/content/kube.go). */
export function isQualifiedName(value: string): Complaints {
  const parts = value.split('/');
  const rule = regexError(
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    LABEL_KEY,
    'MyName',
    'my.name',
    '123-abc',
  );
  if (parts.length > 2) {
    return [
      `a valid label key ${rule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? '';
  const complaints = parts.length === 2 ? labelPrefixComplaints(parts[0] ?? '') : [];
  if (name === '') complaints.push('name part must be non-empty');
  if (byteLength(name) > LABEL_MAX_LENGTH) complaints.push(`name part ${TOO_MANY_BYTES}`);
  if (!LABEL_KEY_REGEXP.test(name)) complaints.push(`name part ${rule}`);
  return complaints;
}

function labelPrefixComplaints(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  const toBytes = (complaint: string) =>
    complaint.replace(/^(must be no more than \d+) characters$/, '$1 bytes');
  return isDNS1123Subdomain(prefix).map((each) => `prefix part ${toBytes(each)}`);
}

/** Ports IsLabelValue (apimachinery pkg/api/validate/content/kube.go). */
export function isValidLabelValue(value: string): Complaints {
  const complaints: string[] = [];
  if (byteLength(value) > LABEL_MAX_LENGTH) complaints.push(TOO_MANY_BYTES);
  if (!LABEL_VALUE_REGEXP.test(value)) {
    const message =
      "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
    complaints.push(regexError(message, LABEL_VALUE, 'MyValue', 'my_value', '12345'));
  }
  return complaints;
}

export function isValidPortNum(port: number): Complaints {
  return port >= 1 && port <= 65535 ? [] : [inclusiveRangeError(1, 65535)];
}

export function isValidPortName(port: string): Complaints {
  const complaints = [...tooLong(port, 15)];
  if (!/^[-a-z0-9]+$/.test(port)) {
    complaints.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(port)) complaints.push('must contain at least one letter (a-z)');
  if (port.includes('--')) complaints.push('must not contain consecutive hyphens');
  if (/^-|-$/.test(port)) complaints.push('must not begin or end with a hyphen');
  return complaints;
}

/** Ports IsValidUserID and IsValidGroupID (apimachinery pkg/util/validation/validation.go). */
export function isValidUserID(id: number): Complaints {
  const max = 2 ** 31 - 1;
  return id >= 0 && id <= max ? [] : [inclusiveRangeError(0, max)];
}

export function isHTTPHeaderName(value: string): Complaints {
  if (HEADER_NAME_REGEXP.test(value)) return [];
  const message = "a valid HTTP header must consist of alphanumeric characters or '-'";
  return [regexError(message, HEADER_NAME, 'X-Header-Name')];
}

export function isRelaxedEnvVarName(value: string): Complaints {
  if (/^[\x20-\x3c\x3e-\x7e]*$/.test(value)) return [];
  return [
    "a valid environment variable name must consist only of printable ASCII characters other than '='",
  ];
}

export function isConfigMapKey(value: string): Complaints {
  const complaints = [...tooLong(value, SUBDOMAIN_MAX_LENGTH)];
  if (!CONFIG_MAP_KEY_REGEXP.test(value)) {
    const message = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
    complaints.push(regexError(message, CONFIG_MAP_KEY, 'key.name', 'KEY_NAME', 'key-name'));
  }
  if (value === '.') complaints.push("must not be '.'");
  else if (value === '..') complaints.push("must not be '..'");
  else if (value.startsWith('..')) complaints.push("must not start with '..'");
  return complaints;
}

/** Ports MaxLenError (apimachinery pkg/util/validation/validation.go). */
function tooLong(value: string, limit: number): Complaints {
  return byteLength(value) > limit ? [`must be no more than ${limit} characters`] : [];
}

/**
 * Replaces a dash at the end of a name's prefix, which the server completes. Ports maskTrailingDash (apimachinery
 * pkg/api/validation/generic.go).
 */
export function maskTrailingDash(name: string): string {
  // Go cuts within a character of several bytes; the rest is as invalid as the whole.
  return name.replace(/[\x00-\x7f]-$/, 'a');
}
