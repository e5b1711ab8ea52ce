import type { Probe } from '../../api/index.js';
import { longerPeriod, set } from '../fix/change.js';
import { CONFIGURE_PROBES, type Rule } from '../rule.js';
import { programOf, slowCommand } from '../subject/commands.js';

export const livenessFailureThresholdOne: Rule = {
  id: 'liveness-failure-threshold-one',
  severity: 'warning',
  summary: 'one failed attempt restarts the container',
  reason:
    'A single lost packet, a garbage collection pause or a busy node is enough. That is why the default is 3.',
  sources: [CONFIGURE_PROBES, 'https://github.com/datacommonsorg/website/pull/6624'],
  checkProbe: ({ type, probe, path }) =>
    type !== 'liveness' || probe.failureThreshold !== 1
      ? []
      : {
          path: `${path}.failureThreshold`,
          message: 'one failed attempt restarts the container',
          hint: 'require several in a row; the default is 3',
          changes: [set(`${path}.failureThreshold`, 3)],
        },
};

export const readinessFailureThresholdOne: Rule = {
  id: 'readiness-failure-threshold-one',
  severity: 'info',
  summary: 'one slow answer takes the pod out of the Service',
  reason:
    'With a short timeout, a single late answer makes the pod unready until the next attempt. Under load this happens to all replicas, and none is left.',
  sources: [CONFIGURE_PROBES, 'https://github.com/datacommonsorg/website/pull/6624'],
  checkProbe: ({ type, probe, path }) =>
    type !== 'readiness' || probe.failureThreshold !== 1 || probe.timeoutSeconds > 2
      ? []
      : {
          path: `${path}.failureThreshold`,
          message: `one answer that takes more than ${probe.timeoutSeconds} s makes the pod unready for ${probe.periodSeconds} s or more`,
          hint: 'require two or three failures in a row, or a longer timeout',
          changes: [set(`${path}.failureThreshold`, 3)],
        },
};

export const oneSecondTimeout: Rule = {
  id: 'one-second-timeout',
  severity: 'warning',
  summary: 'one second is too short for this probe',
  reason:
    'On a busy node, starting a command in a container takes much of the default second, and a garbage collection pause takes all of it. Before 1.20 the kubelet did not enforce the timeout of exec probes, so many such timeouts were never tested.',
  sources: [
    CONFIGURE_PROBES,
    'https://github.com/cloudability/metrics-agent/issues/191',
    'https://github.com/kubernetes/kubernetes/issues/101035',
  ],
  checkProbe: ({ probe, path }) => {
    if (probe.timeoutSeconds !== 1 || probe.periodSeconds === 1) return [];
    const slow = slowPart(probe);
    if (slow === undefined) return [];
    const timeout = Math.min(5, probe.periodSeconds - 1);
    return {
      path,
      message: `allows one second for ${slow}`,
      hint: `timeoutSeconds: ${timeout} tolerates a busy node`,
      changes: [set(`${path}.timeoutSeconds`, timeout)],
    };
  },
};

function slowPart({ exec, httpGet }: Probe): string | undefined {
  const slow = slowCommand(exec?.command ?? []);
  if (slow !== undefined) return `a command started in the container (${programOf(slow)})`;
  const path = httpGet?.path ?? '';
  return exec === undefined && /\/actuator\/health|deep|full/i.test(path)
    ? `${path}, which checks more than the server`
    : undefined;
}

export const timeoutEqualsPeriod: Rule = {
  id: 'timeout-equals-period',
  severity: 'info',
  summary: 'the timeout is as long as the period',
  reason:
    'While a container hangs, attempts follow each other without a pause, so an overloaded server is probed all the time.',
  sources: [CONFIGURE_PROBES],
  checkProbe: (member) => {
    const { probe, path } = member;
    const { timeoutSeconds, periodSeconds } = probe;
    // Of a period of one second nothing shorter is left.
    if (timeoutSeconds !== periodSeconds || timeoutSeconds === 1) return [];
    return {
      path: `${path}.timeoutSeconds`,
      message: `as long as the period, ${periodSeconds} s: while the container hangs, attempts follow each other without a pause`,
      hint: 'make the period longer than the timeout',
      changes: longerPeriod(member),
    };
  },
};

export const timeoutExceedsPeriod: Rule = {
  id: 'timeout-exceeds-period',
  severity: 'warning',
  summary: 'the timeout is longer than the period',
  reason:
    'The kubelet makes one attempt at a time and drops the ticks that it misses: while a container hangs, failures are a timeout apart instead of a period, and the restart comes later than the settings suggest.',
  sources: ['https://github.com/openshift/openshift-docs/pull/32219', CONFIGURE_PROBES],
  checkProbe: (member) => {
    const { probe, path } = member;
    const { timeoutSeconds, periodSeconds } = probe;
    if (timeoutSeconds <= periodSeconds) return [];
    return {
      path: `${path}.timeoutSeconds`,
      message: `a timeout of ${timeoutSeconds} s with a period of ${periodSeconds} s: while the container hangs, ticks are dropped and failures are a timeout apart`,
      hint: 'make the period longer than the timeout',
      changes: longerPeriod(member),
    };
  },
};
