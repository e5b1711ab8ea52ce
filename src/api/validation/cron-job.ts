import { type FieldError, invalid, notSupported, required } from '../field-error.js';
import type { Decoded } from '../schema/decoded.js';
import { validateNonnegativeField } from './common.js';
import { cronScheduleError } from './cron-schedule.js';
import { validateJobSpec } from './job.js';
import { showSelector } from './label-selector.js';
import { locationError } from './location.js';
import { nameIsDNSSubdomain, validateObjectMeta } from './object-meta.js';

type CronJobSpec = Decoded<'CronJobSpec'>;

const CONCURRENCY_POLICIES = ['Allow', 'Forbid', 'Replace'];
/** A job's name is 63 characters at most, and eleven of them are the time. */
const MAX_NAME_LENGTH = 52;

/** Ports ValidateCronJobCreate (pkg/apis/batch/validation/validation.go). */
export function validateCronJob(cronJob: Decoded<'CronJob'>): FieldError[] {
  const { metadata = {}, spec = {} } = cronJob;
  const name = metadata.name ?? '';
  const errors = [
    ...validateObjectMeta(metadata, nameIsDNSSubdomain, 'metadata'),
    ...validateSchedule(spec.schedule ?? '', 'spec.schedule'),
    ...validateNonnegativeField(spec.startingDeadlineSeconds ?? 0, 'spec.startingDeadlineSeconds'),
    ...validateTimeZone(spec.timeZone, 'spec.timeZone'),
    ...validateConcurrencyPolicy(spec.concurrencyPolicy ?? '', 'spec.concurrencyPolicy'),
    ...validateJobTemplate(spec, 'spec.jobTemplate.spec'),
    ...validateNonnegativeField(
      spec.successfulJobsHistoryLimit ?? 0,
      'spec.successfulJobsHistoryLimit',
    ),
    ...validateNonnegativeField(spec.failedJobsHistoryLimit ?? 0, 'spec.failedJobsHistoryLimit'),
  ];
  if (name.length > MAX_NAME_LENGTH) {
    errors.push(invalid('metadata.name', name, 'must be no more than 52 characters'));
  }
  return errors;
}

/** Ports validateScheduleFormat (pkg/apis/batch/validation/validation.go). */
function validateSchedule(schedule: string, path: string): FieldError[] {
  if (schedule === '') return [required(path)];
  const error = cronScheduleError(schedule);
  const errors = error === undefined ? [] : [invalid(path, schedule, error)];
  if (schedule.includes('TZ')) {
    const detail = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
    errors.push(invalid(path, schedule, detail));
  }
  return errors;
}

/** Ports validateTimeZone (pkg/apis/batch/validation/validation.go). */
function validateTimeZone(zone: string | undefined, path: string): FieldError[] {
  if (zone === undefined) return [];
  if (zone === '') return [invalid(path, zone, 'timeZone must be nil or non-empty string')];
  if (!zone.split('/').every(isTimeZonePart)) {
    return [invalid(path, zone, `unknown time zone ${zone}`)];
  }
  const errors: FieldError[] = [];
  if (zone.toLowerCase() === 'local') {
    const detail =
      'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    errors.push(invalid(path, zone, detail));
  }
  const error = locationError(zone);
  return error === undefined ? errors : [...errors, invalid(path, zone, error)];
}

function isTimeZonePart(part: string): boolean {
  return part !== '.' && part !== '..' && /^(?!-)[-A-Za-z._0-9+]{1,14}$/.test(part);
}

function validateConcurrencyPolicy(policy: string, path: string): FieldError[] {
  if (policy === '') return [required(path)];
  if (CONCURRENCY_POLICIES.includes(policy)) return [];
  return [notSupported(path, policy, CONCURRENCY_POLICIES)];
}

/** Ports ValidateJobTemplateSpec (pkg/apis/batch/validation/validation.go). */
function validateJobTemplate(spec: CronJobSpec, path: string): FieldError[] {
  const job = spec.jobTemplate?.spec ?? {};
  const errors = validateJobSpec(job, path);
  if (job.selector !== undefined) {
    const shown = showSelector(job.selector);
    errors.push(invalid(`${path}.selector`, shown, '`selector` will be auto-generated'));
  }
  if (job.manualSelector === true) {
    const error = notSupported(`${path}.manualSelector`, '', ['nil', 'false']);
    const message = `${error.field}: Unsupported value: true: ${error.detail}`;
    errors.push({ ...error, message });
  }
  return errors;
}
