import { bytesOf, latin1, toByteString } from '../../go/byte-string.js';
import type { ProbeType } from '../event.js';
import type { ProbeOutcome } from '../ports.js';

/** What the prober tells of an attempt. */
export interface ProbeEvent {
  readonly type: 'Warning';
  readonly reason: 'Unhealthy' | 'ProbeWarning';
  readonly message: string;
  /** The message as it is, when it is not UTF-8. */
  readonly messageBytes?: Uint8Array;
}

/** The event of an attempt that errored, failed or warned. Ports the texts of probe (pkg/kubelet/prober/prober.go). */
export function probeEvent(probeType: ProbeType, outcome: ProbeOutcome): ProbeEvent | undefined {
  const { result, error } = outcome;
  const name = probeType.charAt(0).toUpperCase() + probeType.slice(1);
  if (error !== undefined) {
    const message = `${name} probe errored and resulted in ${result} state: ${error}`;
    return { type: 'Warning', reason: 'Unhealthy', message };
  }
  switch (result) {
    case 'warning':
      return {
        type: 'Warning',
        reason: 'ProbeWarning',
        ...text(`${name} probe warning: `, outcome),
      };
    case 'failure':
      return { type: 'Warning', reason: 'Unhealthy', ...text(`${name} probe failed: `, outcome) };
    case 'success':
    case 'unknown':
      return undefined;
  }
}

function text(
  prefix: string,
  { output, outputBytes }: ProbeOutcome,
): Pick<ProbeEvent, 'message' | 'messageBytes'> {
  const message = prefix + output;
  if (!outputBytes) return { message };
  return { message, messageBytes: bytesOf(toByteString(prefix) + latin1(outputBytes)) };
}
