/* Ported from pkg/apis/core/validation/validation.go and names.go, with their names. */

import { goQuote } from '../../../go/quote.js';
import { goJson } from '../../../go/text.js';
import { isServerSince } from '../../schema/api-server.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import { sortedEntries } from '../../values/objects.js';
import {
  validateLocalNonReservedPath,
  validateMaxBytes,
  validateRequired,
} from '../common/checks.js';
import type { FieldPath, JsonText } from '../common/field-error.js';
import {
  type Complaints,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
} from '../common/formats.js';
import { showSelector, validateAnnotationsSize, validateLabelSelector } from '../common/meta.js';

type TrustBundle = Decoded<v1.ClusterTrustBundleProjection>;
type PodCertificate = Decoded<v1.PodCertificateProjection>;
/** Reports a path that another source of the volume has as well. */
type Claim = (path: string, shown: string) => void;

const KEY_TYPES = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const SIGNER_HOST = /^(?:[^/]*\.)?kubernetes\.io(?:\/|$)/;
const DOMAIN_MAX_LENGTH = 253;
const SIGNER_MAX_LENGTH = 571;
const NOT_A_SIGNER =
  "must be a fully qualified domain and path of the form 'example.com/signer-name'";

/** Ports the part of validateProjectionSources about a clusterTrustBundle. */
export function validateClusterTrustBundle(source: TrustBundle, at: FieldPath, claim: Claim): void {
  const { name, signerName, labelSelector, path = '' } = source;
  if (name !== undefined && signerName !== undefined) {
    at.invalid(showTrustBundle(source, at), 'only one of name and signerName may be used');
  } else if (name !== undefined) {
    const nameAt = at.child('name');
    if (name === '') nameAt.required('must be a valid object name');
    for (const complaint of isClusterTrustBundleName(name)) {
      nameAt.invalid(name, `not a valid clustertrustbundlename: ${complaint}`);
    }
    if (labelSelector !== undefined) {
      const detail = 'labelSelector must be unset if name is specified';
      at.child('labelSelector').invalid(showSelector(labelSelector), detail);
    }
  } else if (signerName !== undefined) {
    if (signerName === '') at.child('signerName').required('must be a valid signer name');
    validateSignerName(signerName, at.child('signerName'));
    validateLabelSelector(labelSelector, at.child('labelSelector'));
  } else {
    at.required('either name or signerName must be specified');
  }
  validateRequired(path, at.child('path'));
  validateLocalNonReservedPath(path, at.child('path'));
  claim(path, path);
}

/** Shows the internal struct, whose fields have no JSON names. */
function showTrustBundle(source: TrustBundle, { server }: FieldPath): JsonText {
  const { name, signerName, labelSelector, optional = null, path = '', user = null } = source;
  const selector = showSelector(labelSelector).json;
  const head = `"Name":${goJson(name)},"SignerName":${goJson(signerName)},"LabelSelector":${selector}`;
  const last = isServerSince('1.37', server) ? `,"User":${goJson(user)}` : '';
  return { json: `{${head},"Optional":${goJson(optional)},"Path":${goJson(path)}${last}}` };
}

/** Ports ValidateClusterTrustBundleName. The name has its signer before the last colon. */
function isClusterTrustBundleName(name: string): Complaints {
  const end = name.lastIndexOf(':');
  if (end === 0) return ['ClusterTrustBundle without signer name must not have ":" in its name'];
  const signerName = name.slice(0, Math.max(end, 0)).replaceAll(':', '/');
  const prefix = signerName === '' ? '' : `${signerName.replaceAll('/', ':')}:`;
  return name.startsWith(prefix)
    ? isDNS1123Subdomain(name.slice(prefix.length))
    : [`ClusterTrustBundle for signerName ${signerName} must be named with prefix ${prefix}`];
}

/** Ports ValidateSignerName. */
function validateSignerName(signerName: string, at: FieldPath): void {
  if (signerName === '') return at.required();
  const [domain = '', path = '', ...rest] = signerName.split('/');
  if (!signerName.includes('/') || rest.length > 0) return at.invalid(signerName, NOT_A_SIGNER);
  validateMaxBytes(domain, DOMAIN_MAX_LENGTH, at);
  validateSegment(domain, isDNS1123Label, at);
  if (!domain.includes('.')) {
    at.invalid(domain, 'should be a domain with at least two segments separated by dots');
  }
  validateSegment(path, isDNS1123Subdomain, at);
  validateMaxBytes(signerName, SIGNER_MAX_LENGTH, at);
}

/** Reports the first label of a segment that is invalid. */
function validateSegment(text: string, rule: (label: string) => Complaints, at: FieldPath): void {
  const label = text.split('.').find((each) => rule(each).length > 0);
  if (label === undefined) return;
  at.invalidFor(
    text,
    rule(label).map((each) => `validating label ${goQuote(label)}: ${each}`),
  );
}

/** Ports the part of validateProjectionSources about a podCertificate. */
export function validatePodCertificate(source: PodCertificate, at: FieldPath, claim: Claim): void {
  const { signerName = '', keyType = '', maxExpirationSeconds: seconds = HOUR } = source;
  validateSignerName(signerName, at.child('signerName'));
  validateUserAnnotations(source, at.child('userAnnotations'));
  if (!KEY_TYPES.includes(keyType)) {
    at.child('keyType').notSupported({ json: goQuote(keyType) }, KEY_TYPES);
  }
  const secondsAt = at.child('maxExpirationSeconds');
  const longest = SIGNER_HOST.test(signerName) ? DAY : 91 * DAY;
  const rule = 'if provided, maxExpirationSeconds must be';
  if (seconds < HOUR) secondsAt.invalid(seconds, `${rule} >= ${HOUR}`);
  if (seconds > longest) secondsAt.invalid(seconds, `${rule} <= ${longest}`);
  const fields = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const;
  for (const field of fields) {
    const { [field]: path = '' } = source;
    if (path === '') continue;
    validateLocalNonReservedPath(path, at.child(field));
    claim(path, path);
  }
  if (fields.every((field) => (source[field] ?? '') === '')) {
    at.required('specify at least one of credentialBundlePath, keyPath, and certificateChainPath');
  }
}

/** Ports ValidateUserAnnotations, with IsDomainPrefixedKey (apimachinery pkg/util/validation/validation.go). */
function validateUserAnnotations({ userAnnotations }: PodCertificate, at: FieldPath): void {
  for (const key of sortedEntries(userAnnotations).map(([each]) => each.toLowerCase())) {
    if (key === '') at.required();
    else if (isQualifiedName(key).length > 0) at.invalidFor(key, isQualifiedName(key));
    else if (!key.includes('/')) {
      at.invalid(key, 'must be a domain-prefixed key (such as "acme.io/foo")');
    }
  }
  validateAnnotationsSize(userAnnotations, at);
}
