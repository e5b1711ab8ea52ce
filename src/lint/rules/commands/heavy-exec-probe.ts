import { set } from '../../fix/change.js';
import { CONFIGURE_PROBES, type Rule } from '../../rule.js';
import { heavyProgram } from '../../subject/commands.js';

export const heavyExecProbe: Rule = {
  id: 'heavy-exec-probe',
  severity: 'warning',
  summary: 'a probe starts a heavy program every few seconds',
  reason:
    "Starting an interpreter or a virtual machine costs tenths of a second of CPU time per attempt, within the container's own limit. Idle brokers have used whole cores for their probes.",
  sources: [
    'https://github.com/rabbitmq/rabbitmq-peer-discovery-k8s/issues/28',
    'https://github.com/GoogleCloudPlatform/click-to-deploy/issues/522',
    'https://github.com/kubernetes/kubernetes/issues/82440',
    CONFIGURE_PROBES,
  ],
  checkProbe: ({ type, probe, path }) => {
    const program = heavyProgram(probe.exec?.command ?? []);
    // A startup probe ends with the start.
    if (program === undefined || type === 'startup' || probe.periodSeconds > OFTEN) return [];
    return {
      path,
      message: `starts ${program} every ${probe.periodSeconds} s`,
      hint: 'probe over HTTP, gRPC or TCP, or less often',
      changes: [set(`${path}.periodSeconds`, 30)],
    };
  },
};

/** Seconds. */
const OFTEN = 10;
