import { once, type OnceAnswer, type OnceOptions, type OnceProbe, podAround } from '../app/once.js';
import { RealClock } from '../clock/real-clock.js';
import { createTransports } from '../probe/transports.js';
import { onceJson, onceText } from '../render/once.js';
import { EXIT } from './exit-code.js';
import { flagProbe } from './flag-probe.js';
import type { Io } from './io.js';
import type { OnceFlags } from './once-flags.js';
import { UsageError } from './usage-error.js';

export interface OnceCommandInput {
  readonly paths: readonly string[];
  readonly flags: OnceFlags;
  /** What stands after `--`. */
  readonly commandLine: readonly string[] | undefined;
}

export interface OnceCommandEnd {
  readonly exitCode: number;
  readonly output: string;
  readonly errors: string;
}

interface Chosen {
  readonly probes: readonly OnceProbe[];
  readonly address: string;
  readonly errors: string;
}

/** `kprobe once`: chooses the probes, makes an attempt of each, and prints what came of it. */
export async function onceCommand(input: OnceCommandInput, io: Io): Promise<OnceCommandEnd> {
  const { probes, address, errors } = await choose(input, io);
  if (probes.length === 0) return { exitCode: EXIT.usage, output: '', errors };
  const options = onceOptions(input.flags, address, io);
  const answers: OnceAnswer[] = [];
  for (const probe of probes) answers.push(await once(probe, options));
  const show = input.flags.output === 'json' ? onceJson : onceText;
  const output = answers.map((answer) => show(answer, probes.length > 1)).join('');
  return { exitCode: exitCodeOf(answers), output, errors };
}

async function choose({ paths, flags, commandLine }: OnceCommandInput, io: Io): Promise<Chosen> {
  const flagged = flagProbe(flags, commandLine);
  if (flagged !== undefined) {
    if (paths.length > 0)
      throw new UsageError(`a probe by flags and a manifest (${paths.join(', ')}): choose one`);
    const { probe, host } = flagged;
    // The kind of a probe from the command line is nobody's business but the event's.
    const probeType = 'liveness';
    const container = { name: 'probe', image: '', livenessProbe: probe };
    const address = host === '' ? flags.host : host;
    return { probes: [{ pod: podAround(container), container, probeType }], address, errors: '' };
  }
  if (paths.length === 0) {
    throw new UsageError(
      'nothing to probe: give --http, --https, --tcp, --grpc, --exec or a manifest',
    );
  }
  const { manifestProbes } = await import('./manifest-probes.js');
  return { ...(await manifestProbes(paths, flags, io)), address: flags.host };
}

function onceOptions(flags: OnceFlags, address: string, io: Io): OnceOptions {
  const clock = new RealClock();
  return {
    clock,
    address,
    kubeletVersion: flags.kubeletVersion,
    transports: createTransports({
      clock,
      kubeletVersion: flags.kubeletVersion,
      dial: (_, host, port) => ({
        host,
        port: host === address ? (flags.port?.get(port) ?? port) : port,
      }),
    }),
    async exec(container, command, timeoutSeconds) {
      const { execInContext } = await import('./once-exec.js');
      return execInContext({ clock, container, command, timeoutSeconds, io });
    },
  };
}

/** The worst of the answers: an error says less than a failure. */
function exitCodeOf(answers: readonly OnceAnswer[]): number {
  if (answers.some(({ answer }) => answer.error === undefined && answer.result === 'failure')) {
    return EXIT.doesNotHold;
  }
  const errored = answers.some(({ answer }) => answer.error !== undefined);
  return errored ? EXIT.unknown : EXIT.holds;
}
