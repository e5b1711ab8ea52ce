/* Ported from pkg/apis/batch/validation/validation.go, with its names. */

import { durationError } from '../../../go/duration.js';
import { goTrimSpace } from '../../../go/text.js';
import type { Decoded, v1 } from '../../schema/schema.js';
import {
  validateEnum,
  validateNonnegativeField,
  validateNonnegativeFields,
  validateRequired,
} from '../common/checks.js';
import { asJson, type FieldPath } from '../common/field-error.js';
import { showSelector, validateObjectMeta } from '../common/meta.js';
import { validateJobSpec } from './job.js';

const CONCURRENCY_POLICIES = ['Allow', 'Forbid', 'Replace'];
/** The name of a Job has at most 63 characters, eleven of them for the time. */
const MAX_NAME_LENGTH = 52;
const HISTORY_LIMITS = ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit'] as const;

/** Ports ValidateCronJobCreate (pkg/apis/batch/validation/validation.go). */
export function validateCronJob(
  { metadata = {}, spec = {} }: Decoded<v1.CronJob>,
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

function validateScheduleFormat(schedule: string, at: FieldPath): void {
  const error = cronScheduleError(schedule);
  if (error !== undefined) at.invalid(schedule, error);
  if (schedule.includes('TZ')) {
    at.invalid(schedule, 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  }
}

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

function validateJobTemplateSpec(job: Decoded<v1.JobSpec>, at: FieldPath): void {
  validateJobSpec(job, at);
  if (job.selector !== undefined) {
    at.child('selector').invalid(showSelector(job.selector), '`selector` will be auto-generated');
  }
  if (job.manualSelector === true) {
    at.child('manualSelector').notSupported(asJson(true), ['nil', 'false']);
  }
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];
const DESCRIPTORS = '@yearly @annually @monthly @weekly @daily @midnight @hourly'.split(' ');

/** Returns the error of a cron schedule. Ports ParseStandard (github.com/robfig/cron parser.go). */
export function cronScheduleError(schedule: string): string | undefined {
  if (schedule === '') return 'empty spec string';
  const [zoned = '', location = ''] = /^(?:CRON_)?TZ=([^ ]*)/.exec(schedule) ?? [];
  const error = locationError(location);
  if (error !== undefined) return `provided bad location ${location}: ${error}`;
  const spec = zoned === '' ? schedule : goTrimSpace(schedule.slice(zoned.length));
  if (spec.startsWith('@')) {
    if (DESCRIPTORS.includes(spec)) return undefined;
    if (!spec.startsWith('@every ')) return `unrecognized descriptor: ${spec}`;
    const error = durationError(spec.slice('@every '.length));
    return error && `failed to parse duration ${spec}: ${error}`;
  }
  const fields = spec.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  for (const [index, bounds] of FIELDS.entries()) {
    for (const range of (fields[index] ?? '').split(',')) {
      const error = range === '' ? undefined : rangeError(range, bounds);
      if (error !== undefined) return error;
    }
  }
  return undefined;
}

/** Ports getRange (github.com/robfig/cron parser.go). */
function rangeError(range: string, bounds: Bounds): string | undefined {
  const [span = '', step, ...moreSteps] = range.split('/');
  const [low = '', high, ...moreEnds] = span.split('-');
  const isStar = low === '*' || low === '?';
  const start = isStar ? bounds.min : parseIntOrName(low, bounds);
  if (typeof start === 'string') return start;
  if (!isStar && moreEnds.length > 0) return `too many hyphens: ${range}`;
  const open = isStar || (high === undefined && step !== undefined);
  const end = open ? bounds.max : parseIntOrName(high ?? low, bounds);
  if (typeof end === 'string') return end;
  if (moreSteps.length > 0) return `too many slashes: ${range}`;
  const stride = step === undefined ? 1 : parseIntOrName(step, { ...bounds, names: [] });
  if (typeof stride === 'string') return stride;
  if (start < bounds.min) {
    return `beginning of range (${start}) below minimum (${bounds.min}): ${range}`;
  }
  if (end > bounds.max) return `end of range (${end}) above maximum (${bounds.max}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return stride === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

function parseIntOrName(text: string, bounds: Bounds): number | string {
  const name = bounds.names?.indexOf(text.toLowerCase()) ?? -1;
  if (name !== -1) return name + bounds.min;
  const failed = `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}`;
  if (!/^[+-]?\d+$/.test(text)) return `${failed}: invalid syntax`;
  const number = Number(text);
  if (Math.abs(number) >= 2 ** 63) return `${failed}: value out of range`;
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
}

/** The zones of tzdata with three letters and no slash; Intl accepts more, for compatibility with Java. */
const SHORT_ZONES = 'CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET'.split(' ');

/**
 * Returns the error of a time zone. Ports LoadLocation (Go's time/zoneinfo.go), where zones are files: their names are
 * case-sensitive, and a folder is not a zone.
 */
function locationError(name: string): string | undefined {
  if (name === '' || name === 'Local' || isTimeZone(name)) return undefined;
  if (/^[/\\]|\.\./.test(name)) return 'time: invalid location name';
  const isFolder = Intl.supportedValuesOf('timeZone').some((zone) => zone.startsWith(`${name}/`));
  return isFolder ? 'is a directory' : `unknown time zone ${name}`;
}

function isTimeZone(name: string): boolean {
  if (name === 'Factory') return true;
  const isCapitalized = name.split('/').every((part) => /^[A-Z]/.test(part));
  if (!isCapitalized || name.startsWith('SystemV/')) return false;
  if (name.length === 3 && !SHORT_ZONES.includes(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
