import { goQuote } from '../../go/quote.js';
import {
  asJson,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../field-error.js';
import { byteLength } from '../go-text.js';
import type { Decoded } from '../schema/decoded.js';
import { validateDomainPrefixedPath, validateNonnegativeField } from './common.js';
import { validateCompletionMode } from './completion-mode.js';
import { isDNS1123Label } from './formats.js';
import {
  isUsableSelector,
  selectorMatches,
  showSelector,
  validateLabelSelector,
} from './label-selector.js';
import { nameIsDNSSubdomain, validateObjectMeta } from './object-meta.js';
import { validatePodTemplateSpec } from './pod.js';
import { validatePodFailurePolicy } from './pod-failure-policy.js';
import { validateSuccessPolicy } from './success-policy.js';
import { mismatch } from './template.js';

type Job = Decoded<'Job'>;
type JobSpec = Decoded<'JobSpec'>;

const REPLACEMENT_POLICIES = ['Failed', 'TerminatingOrFailed'];
const RESTART_POLICIES = ['OnFailure', 'Never'];
const MAX_MANAGED_BY_BYTES = 63;

/** Ports ValidateJob (pkg/apis/batch/validation/validation.go). */
export function validateJob(job: Job): FieldError[] {
  const { metadata = {}, spec = {} } = job;
  return [
    ...validateObjectMeta(metadata, nameIsDNSSubdomain, 'metadata'),
    ...validateGeneratedSelector(job),
    ...validateJobSpec(spec, 'spec'),
    ...validateSelector(spec),
    ...validateIndexedName(job),
  ];
}

/** Ports validateGeneratedSelector (pkg/apis/batch/validation/validation.go). */
function validateGeneratedSelector(job: Job): FieldError[] {
  const { metadata = {}, spec = {} } = job;
  if (spec.manualSelector === true || spec.selector === undefined) return [];
  const expected = {
    'controller-uid': metadata.uid ?? '',
    'job-name': metadata.name ?? '',
    'batch.kubernetes.io/controller-uid': metadata.uid ?? '',
    'batch.kubernetes.io/job-name': metadata.name ?? '',
  };
  const labels = spec.template?.metadata?.labels ?? {};
  const errors = Object.entries(expected).flatMap(([key, value]) => {
    if (labels[key] === value) return [];
    const at = `spec.template.metadata.labels[${key}]`;
    const detail = `must be '${value}'`;
    return [labels[key] === undefined ? required(at, detail) : invalid(at, asJson(labels), detail)];
  });
  if (isUsableSelector(spec.selector) && !selectorMatches(spec.selector, expected)) {
    errors.push(
      invalid('spec.selector', showSelector(spec.selector), '`selector` not auto-generated'),
    );
  }
  return errors;
}

/** The end of ValidateJobSpec (pkg/apis/batch/validation/validation.go). */
function validateSelector(spec: JobSpec): FieldError[] {
  const { selector, template = {} } = spec;
  const errors =
    selector === undefined
      ? [required('spec.selector')]
      : validateLabelSelector(selector, 'spec.selector');
  if (isUsableSelector(selector) && !selectorMatches(selector, template.metadata?.labels ?? {})) {
    errors.push(mismatch(template, 'spec.template'));
  }
  return errors;
}

function validateIndexedName(job: Job): FieldError[] {
  const { completionMode, completions = 0 } = job.spec ?? {};
  if (completionMode !== 'Indexed' || completions <= 0) return [];
  const name = job.metadata?.name ?? '';
  const hostname = `${name}-${completions - 1}`;
  if (isDNS1123Label(hostname).length === 0) return [];
  const detail = `will not able to create pod with invalid DNS label: ${hostname}`;
  return [invalid('metadata.name', name, detail)];
}

/** Ports validateJobSpec (pkg/apis/batch/validation/validation.go). */
export function validateJobSpec(spec: JobSpec, path: string): FieldError[] {
  const numbers = [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ] as const;
  return [
    ...numbers.flatMap((field) => validateNonnegativeField(spec[field] ?? 0, `${path}.${field}`)),
    ...(spec.maxFailedIndexes === undefined || spec.backoffLimitPerIndex !== undefined
      ? []
      : [required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')]),
    ...validateManagedBy(spec.managedBy, `${path}.managedBy`),
    ...validateCompletionMode(spec, path),
    ...validatePodFailurePolicy(spec, `${path}.podFailurePolicy`),
    ...validateSuccessPolicy(spec, `${path}.successPolicy`),
    ...validatePodReplacementPolicy(spec, `${path}.podReplacementPolicy`),
    ...validatePodTemplateSpec(spec.template ?? {}, `${path}.template`),
    ...validateJobRestartPolicy(spec, `${path}.template.spec.restartPolicy`),
  ];
}

/** What the server asks of jobs that another controller than its own looks after. */
function validateManagedBy(managedBy: string | undefined, path: string): FieldError[] {
  if (managedBy === undefined) return [];
  const errors = validateDomainPrefixedPath(managedBy, path);
  const isLong = byteLength(managedBy) > MAX_MANAGED_BY_BYTES;
  return isLong ? [...errors, tooLong(path, MAX_MANAGED_BY_BYTES)] : errors;
}

/** Ports validatePodReplacementPolicy (pkg/apis/batch/validation/validation.go). */
function validatePodReplacementPolicy(spec: JobSpec, path: string): FieldError[] {
  const policy = spec.podReplacementPolicy;
  const supported = spec.podFailurePolicy === undefined ? REPLACEMENT_POLICIES : ['Failed'];
  if (policy === undefined || supported.includes(policy)) return [];
  return [notSupported(path, policy, supported)];
}

function validateJobRestartPolicy(spec: JobSpec, path: string): FieldError[] {
  const policy = spec.template?.spec?.restartPolicy ?? '';
  if (policy === '' || policy === 'Always') {
    return [required(path, `valid values: ${RESTART_POLICIES.map(goQuote).join(', ')}`)];
  }
  if (!RESTART_POLICIES.includes(policy)) return [notSupported(path, policy, RESTART_POLICIES)];
  if (spec.podFailurePolicy === undefined || policy === 'Never') return [];
  const detail = 'only "Never" is supported when podFailurePolicy is specified';
  return [invalid(path, asJson(policy), detail)];
}
