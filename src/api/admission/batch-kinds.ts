import { decode } from '../decode/decode.js';
import { generateSelector, setDefaultsCronJob, setDefaultsJob } from '../defaults/workload.js';
import { validateCronJob } from '../validation/cron-job.js';
import { validateJob } from '../validation/job.js';
import { warningsForJob } from '../warnings/workload-warnings.js';
import { type Admit, conclude, fillMeta } from './admission.js';

export const admitJob: Admit = (node, { uid, integers }) => {
  const { value, issues } = decode(node, 'Job', integers);
  const job = setDefaultsJob(fillMeta(value, uid));
  const generated = generateSelector(job);
  const object = { ...generated, metadata: job.metadata };
  return conclude({
    stored: generated,
    object: { metadata: object.metadata },
    template: object.spec?.template,
    written: value.spec?.template,
    issues,
    validate: () => validateJob(object),
    // Labels that came from the template are the same map in Go, so that they are looked at twice.
    validateForStatus: () => validateJob(generated),
    warn: () => warningsForJob(object.metadata?.name ?? '', object.spec, 'spec'),
  });
};

export const admitCronJob: Admit = (node, { uid, integers }) => {
  const { value, issues } = decode(node, 'CronJob', integers);
  const object = setDefaultsCronJob(fillMeta(value, uid));
  return conclude({
    stored: object,
    object: { metadata: object.metadata },
    template: object.spec?.jobTemplate?.spec?.template,
    written: value.spec?.jobTemplate?.spec?.template,
    issues,
    validate: () => validateCronJob(object),
    warn: () =>
      warningsForJob(
        object.metadata?.name ?? '',
        object.spec?.jobTemplate?.spec,
        'spec.jobTemplate.spec',
      ),
  });
};
