import type { Decoded } from '../../schema/decoded.js';
import {
  validateEnum,
  validateNonnegativeField,
  validateNonnegativeFields,
  validateRequired,
} from '../common/checks.js';
import { asJson, type FieldPath } from '../common/field-error.js';
import { showSelector } from '../meta/label-selector.js';
import { validateObjectMeta } from '../meta/object-meta.js';
import { cronScheduleError, locationError } from './cron-schedule.js';
import { validateJobSpec } from './job.js';

const CONCURRENCY_POLICIES = ['Allow', 'Forbid', 'Replace'];
/** A job's name is 63 characters at most, and eleven of them are the time. */
const MAX_NAME_LENGTH = 52;
const HISTORY_LIMITS = ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'] as const;

/** Ports ValidateCronJobCreate (pkg/apis/batch/validation/validation.go). */
export function validateCronJob(
  { metadata = {}, spec = {} }: Decoded<'CronJob'>,
  at: FieldPath,
): void {
  const { name = '' } = metadata;
  const specAt = at.child('spec');
  validateObjectMeta(metadata, at.child('metadata'));
  validateRequired(spec.schedule, specAt.child('schedule'), validateScheduleFormat);
  validateNonnegativeField(spec.startingDeadlineSeconds, specAt.child('startingDeadlineSeconds'));
  validateTimeZone(spec.timeZone, specAt.child('timeZone'));
  validateEnum(spec.concurrencyPolicy, CONCURRENCY_POLICIES, specAt.child('concurrencyPolicy'));
  validateJobTemplateSpec(spec.jobTemplate?.spec ?? {}, specAt.child('jobTemplate.spec'));
  validateNonnegativeFields(spec, HISTORY_LIMITS, specAt);
  if (name.length > MAX_NAME_LENGTH) {
    const detail = `must be no more than ${MAX_NAME_LENGTH} characters`;
    at.child('metadata.name').invalid(name, detail);
  }
}

/** Ports validateScheduleFormat (pkg/apis/batch/validation/validation.go). */
function validateScheduleFormat(schedule: string, at: FieldPath): void {
  const error = cronScheduleError(schedule);
  if (error !== undefined) at.invalid(schedule, error);
  if (schedule.includes('TZ')) {
    at.invalid(schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  }
}

/** Ports validateTimeZone (pkg/apis/batch/validation/validation.go). */
function validateTimeZone(zone: string | undefined, at: FieldPath): void {
  if (zone === undefined) return;
  if (zone === '') return at.invalid(zone, 'timeZone must be nil or non-empty string');
  if (!zone.split('/').every(isTimeZonePart)) return at.invalid(zone, `unknown time zone ${zone}`);
  if (zone.toLowerCase() === 'local') {
    const detail =
      'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    at.invalid(zone, detail);
  }
  const error = locationError(zone);
  if (error !== undefined) at.invalid(zone, error);
}

function isTimeZonePart(part: string): boolean {
  return part !== '.' && part !== '..' && /^(?!-)[-A-Za-z._0-9+]{1,14}$/.test(part);
}

/** Ports ValidateJobTemplateSpec (pkg/apis/batch/validation/validation.go). */
function validateJobTemplateSpec(job: Decoded<'JobSpec'>, at: FieldPath): void {
  validateJobSpec(job, at);
  if (job.selector !== undefined) {
    at.child('selector').invalid(showSelector(job.selector), '`selector` will be auto-generated');
  }
  if (job.manualSelector === true) {
    at.child('manualSelector').notSupported(asJson(true), ['nil', 'false']);
  }
}
