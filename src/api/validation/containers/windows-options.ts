import { byteLength } from '../../../go/text.js';
import type { Decoded } from '../../schema/decoded.js';
import { asJson, asStruct, type FieldPath, type JsonText } from '../common/field-error.js';
import { type Complaints, isDNS1123Subdomain } from '../common/formats.js';

type WindowsOptions = Decoded<'WindowsSecurityContextOptions'>;

const MAX_CREDENTIAL_SPEC_KIB = 64;
const MAX_DOMAIN_BYTES = 256;
const MAX_USER_BYTES = 104;

const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const DNS_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const DNS_SUBDOMAIN = new RegExp(String.raw`^${DNS_LABEL}(?:\.${DNS_LABEL})*$`);

/** Ports validateWindowsSecurityContextOptions (pkg/apis/core/validation/validation.go). */
export function validateWindowsOptions(options: WindowsOptions = {}, at: FieldPath): void {
  for (const [field, complaintsOf] of Object.entries(COMPLAINTS)) {
    const text = options[field as keyof typeof COMPLAINTS];
    // The server has pointers here, and shows their texts as JSON.
    if (text !== undefined) at.child(field).complain(asJson(text), complaintsOf(text));
  }
}

const COMPLAINTS = {
  gmsaCredentialSpecName: isDNS1123Subdomain,
  gmsaCredentialSpec: credentialSpecComplaints,
  runAsUserName: userNameComplaints,
};

function credentialSpecComplaints(text: string): Complaints {
  if (text === '') return ['gmsaCredentialSpec cannot be an empty string'];
  if (byteLength(text) <= MAX_CREDENTIAL_SPEC_KIB * 1024) return [];
  return [`gmsaCredentialSpec size must be under ${MAX_CREDENTIAL_SPEC_KIB} KiB`];
}

/** A user, or a domain, a backslash and a user. */
function userNameComplaints(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (/[\x00-\x1f\x7f]/.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const domain = parts.length === 2 ? parts[0] : undefined;
  return [...domainComplaints(domain), ...userComplaints(parts.at(-1) ?? '')];
}

function domainComplaints(domain: string | undefined): string[] {
  if (domain === undefined) return [];
  const complaints: string[] = [];
  if (byteLength(domain) >= MAX_DOMAIN_BYTES) {
    complaints.push(`runAsUserName's Domain length must be under ${MAX_DOMAIN_BYTES} characters`);
  }
  if (!NET_BIOS.test(domain) && !DNS_SUBDOMAIN.test(domain)) {
    complaints.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  return complaints;
}

function userComplaints(user: string): string[] {
  const complaints: string[] = [];
  if (user === '') complaints.push("runAsUserName's User cannot be empty");
  if (byteLength(user) > MAX_USER_BYTES) {
    complaints.push(
      `runAsUserName's User length must not be longer than ${MAX_USER_BYTES} characters`,
    );
  }
  if (/^[. ]+$/.test(user)) {
    complaints.push("runAsUserName's User cannot contain only periods or spaces");
  }
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    complaints.push(
      String.raw`runAsUserName's User cannot contain the following characters: "/\:;|=,+*?<>@[]`,
    );
  }
  return complaints;
}

/** The options as the server's own type, shown as JSON. */
export function showWindowsOptions(options: WindowsOptions): JsonText {
  return asStruct({
    GMSACredentialSpecName: options.gmsaCredentialSpecName,
    GMSACredentialSpec: options.gmsaCredentialSpec,
    RunAsUserName: options.runAsUserName,
    HostProcess: options.hostProcess,
  });
}
