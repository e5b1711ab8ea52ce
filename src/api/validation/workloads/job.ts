/* Ported from pkg/apis/batch/validation/validation.go, with its names. */

import { goQuote } from '../../../go/quote.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import {
  validateDomainPrefixedPath,
  validateMaxBytes,
  validateNonnegativeFields,
  validateSupportedIfSet,
} from '../common/checks.js';
import { asJson, type FieldPath } from '../common/field-error.js';
import { isDNS1123Label } from '../common/formats.js';
import {
  isUsableSelector,
  selectorMatches,
  showSelector,
  validateLabelSelector,
  validateObjectMeta,
} from '../common/meta.js';
import { validatePodTemplateSpec } from '../pod/pod.js';
import { validatePodFailurePolicy, validateSuccessPolicy } from './job-policies.js';
import { validateSelectorMatches } from './workloads.js';

type Job = Decoded<v1.Job>;
type JobSpec = Decoded<v1.JobSpec>;

const COMPLETION_MODES = ['NonIndexed', 'Indexed'];
const REPLACEMENT_POLICIES = ['Failed', 'TerminatingOrFailed'];
const RESTART_POLICIES = ['OnFailure', 'Never'];
const MAX_MANAGED_BY_BYTES = 63;
/** The limit of parallelism and of failed indexes of an indexed job, for at most the same number of completions. */
const MAX_INDEXES = 100_000;
/** The lower limit for jobs with more completions and a back-off limit per index. */
const MAX_INDEXES_FOR_HIGH_COMPLETIONS = 10_000;

/** Ports ValidateJob and ValidateJobSpec (pkg/apis/batch/validation/validation.go). */
export function validateJob(job: Job, at: FieldPath): void {
  const { metadata = {}, spec = {} } = job;
  const { selector, template = {} } = spec;
  const specAt = at.child('spec');
  validateObjectMeta(metadata, at.child('metadata'));
  validateGeneratedSelector(job, specAt);
  validateJobSpec(spec, specAt);
  if (selector === undefined) specAt.child('selector').required();
  validateLabelSelector(selector, specAt.child('selector'));
  if (isUsableSelector(selector)) {
    validateSelectorMatches(selector, template, specAt.child('template'));
  }
  validateIndexedName(job, at.child('metadata.name'));
}

function validateGeneratedSelector({ metadata = {}, spec = {} }: Job, at: FieldPath): void {
  const { manualSelector, selector, template } = spec;
  if (manualSelector === true || selector === undefined) return;
  const { uid = '', name = '' } = metadata;
  const expected = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  };
  const labels = template?.metadata?.labels ?? {};
  for (const [key, value] of Object.entries(expected)) {
    if (labels[key] === value) continue;
    const labelAt = at.child('template.metadata.labels').item(key);
    const detail = `must be '${value}'`;
    if (labels[key] === undefined) labelAt.required(detail);
    else labelAt.invalid(asJson(labels), detail);
  }
  if (isUsableSelector(selector) && !selectorMatches(selector, expected)) {
    at.child('selector').invalid(showSelector(selector), '`selector` not auto-generated');
  }
}

function validateIndexedName({ metadata = {}, spec = {} }: Job, at: FieldPath): void {
  const { completionMode, completions = 0 } = spec;
  if (completionMode !== 'Indexed' || completions <= 0) return;
  const { name = '' } = metadata;
  const hostname = `${name}-${completions - 1}`;
  if (isDNS1123Label(hostname).length === 0) return;
  at.invalid(name, `will not able to create pod with invalid DNS label: ${hostname}`);
}

const JOB_NUMBERS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;

export function validateJobSpec(spec: JobSpec, at: FieldPath): void {
  const { managedBy, podFailurePolicy, template = {} } = spec;
  validateNonnegativeFields(spec, JOB_NUMBERS, at);
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    at.child('backoffLimitPerIndex').required('when maxFailedIndexes is specified');
  }
  if (managedBy !== undefined) {
    validateDomainPrefixedPath(managedBy, at.child('managedBy'));
    validateMaxBytes(managedBy, MAX_MANAGED_BY_BYTES, at.child('managedBy'));
  }
  validateCompletionMode(spec, at);
  validatePodFailurePolicy(spec, at.child('podFailurePolicy'));
  validateSuccessPolicy(spec, at.child('successPolicy'));
  const replacements = podFailurePolicy === undefined ? REPLACEMENT_POLICIES : ['Failed'];
  const replacementAt = at.child('podReplacementPolicy');
  validateSupportedIfSet(spec.podReplacementPolicy, replacements, replacementAt);
  validatePodTemplateSpec(template, at.child('template'));
  validateJobRestartPolicy(spec, at.child('template.spec.restartPolicy'));
}

function validateCompletionMode(spec: JobSpec, at: FieldPath): void {
  const { completionMode = 'NonIndexed' } = spec;
  if (completionMode === 'Indexed') {
    validateIndexed(spec, at);
    validateHighCompletions(spec, at);
  } else if (completionMode === 'NonIndexed') {
    for (const field of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const) {
      const { [field]: value } = spec;
      if (value !== undefined) at.child(field).invalid(value, 'requires indexed completion mode');
    }
  } else {
    at.child('completionMode').notSupported(completionMode, COMPLETION_MODES);
  }
}

function validateIndexed(spec: JobSpec, at: FieldPath): void {
  const { completions, parallelism = 0, maxFailedIndexes = 0 } = spec;
  const detail = `must be less than or equal to ${MAX_INDEXES}`;
  if (completions === undefined) {
    at.child('completions').required('when completion mode is Indexed');
  }
  if (parallelism > MAX_INDEXES) {
    at.child('parallelism').invalid(parallelism, `${detail} when completion mode is Indexed`);
  }
  const failedAt = at.child('maxFailedIndexes');
  if (
    completions !== undefined &&
    maxFailedIndexes > completions &&
    spec.maxFailedIndexes !== undefined
  ) {
    failedAt.invalid(maxFailedIndexes, 'must be less than or equal to completions');
  }
  if (maxFailedIndexes > MAX_INDEXES) failedAt.invalid(maxFailedIndexes, detail);
}

function validateHighCompletions(spec: JobSpec, at: FieldPath): void {
  const { completions = 0, backoffLimitPerIndex, parallelism = 0, maxFailedIndexes } = spec;
  if (completions <= MAX_INDEXES || backoffLimitPerIndex === undefined) return;
  const limit = MAX_INDEXES_FOR_HIGH_COMPLETIONS;
  const detail = `must be less than or equal to ${limit} when completions are above ${MAX_INDEXES} and used with backoff limit per index`;
  const failedAt = at.child('maxFailedIndexes');
  if (maxFailedIndexes === undefined) {
    failedAt.required(`must be specified when completions is above ${MAX_INDEXES}`);
  }
  if (parallelism > limit) at.child('parallelism').invalid(parallelism, detail);
  if (maxFailedIndexes !== undefined && maxFailedIndexes > limit) {
    failedAt.invalid(maxFailedIndexes, detail);
  }
}

function validateJobRestartPolicy(spec: JobSpec, at: FieldPath): void {
  const { restartPolicy: policy = '' } = spec.template?.spec ?? {};
  if (policy === '' || policy === 'Always') {
    at.required(`valid values: ${RESTART_POLICIES.map(goQuote).join(', ')}`);
  } else if (!RESTART_POLICIES.includes(policy)) {
    at.notSupported(policy, RESTART_POLICIES);
  } else if (spec.podFailurePolicy !== undefined && policy !== 'Never') {
    at.invalid(asJson(policy), 'only "Never" is supported when podFailurePolicy is specified');
  }
}
