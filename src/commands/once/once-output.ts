import type { Io } from '../../cli/shared/io.js';
import { textStyle } from '../../cli/shared/output-style.js';
import type { Write } from '../../report/renderer.js';
import type { TextStyle } from '../../text/text-style.js';
import { NO_ATTEMPT, type Tally } from '../../trace/summary/tally.js';
import type { Verdict } from '../../trace/summary/verdict.js';
import type { TraceMask } from '../../trace/trace-mask.js';
import {
  attemptLine,
  attemptParagraph,
  probeTitle,
  type ReportedProbe,
  tallyLine,
} from './attempt-text.js';
import type { OnceAttempt, OncePlan, OnceProbe } from './once.js';
import type { OnceFlags } from './once-options.js';
import { isSeveral } from './once-plan.js';

interface OnceOutput {
  attempt(plan: OncePlan, attempt: OnceAttempt): void;
  end(tallies: readonly Tally[], verdicts: readonly Verdict['kind'][]): void;
}

export interface OnceOutputInput {
  readonly flags: OnceFlags;
  readonly plans: readonly OncePlan[];
  /** True where the names of probes come from a manifest. */
  readonly named: boolean;
  readonly io: Io;
  readonly mask?: TraceMask | undefined;
}

interface OutputOptions {
  readonly flags: OnceFlags;
  readonly probes: readonly ReportedProbe[];
  readonly print: Write;
  readonly style: TextStyle;
}

interface ProbeOutput extends Pick<OnceOutput, 'end'> {
  attempt(probe: ReportedProbe, attempt: OnceAttempt): void;
}

export async function createOnceOutput(input: OnceOutputInput): Promise<OnceOutput> {
  const { flags, plans, named, mask, io } = input;
  const probes = new Map(plans.map((plan) => [plan, { ...shown(plan.probe, mask), named }]));
  const print = (text: string): void => void io.stdout.write(text);
  const style = await textStyle(flags, io);
  const output = await outputOf({ flags, probes: [...probes.values()], print, style });
  return {
    attempt(plan, attempt) {
      const probe = probes.get(plan);
      if (probe !== undefined) output.attempt(probe, attempt);
    },
    end: (...results) => output.end(...results),
  };
}

function shown(probe: OnceProbe, mask: TraceMask | undefined): OnceProbe {
  if (mask === undefined) return probe;
  const { pod, container } = probe;
  const masked = mask.pod({ ...pod, spec: { ...pod.spec, containers: [container] } });
  return { ...probe, pod: masked, container: masked.spec.containers[0] ?? container };
}

async function outputOf(options: OutputOptions): Promise<ProbeOutput> {
  const { flags, print } = options;
  if (flags.output === 'junit') return junitOutput(options);
  if (flags.output !== 'json') {
    return isSeveral(flags) ? linesOutput(options) : paragraphsOutput(options);
  }
  const { attemptJson } = await import('./attempt-json.js');
  const attempt: ProbeOutput['attempt'] = (probe, made) =>
    print(attemptJson(probe, made, flags.verbose ?? false));
  return { attempt, end: () => undefined };
}

async function junitOutput({ print, probes }: OutputOptions): Promise<ProbeOutput> {
  const { onceJunit } = await import('./attempt-junit.js');
  const lines = new Map<ReportedProbe, string[]>(probes.map((probe) => [probe, []]));
  const lasts = new Map<ReportedProbe, OnceAttempt>();
  return {
    attempt(probe, attempt) {
      lines.get(probe)?.push(attemptLine(probe, attempt));
      lasts.set(probe, attempt);
    },
    end(_, verdicts) {
      const cases = probes.map((probe, index) => {
        const verdict = verdicts[index] ?? 'unknown';
        return { probe, verdict, lines: lines.get(probe) ?? [], last: lasts.get(probe) };
      });
      print(onceJunit(cases));
    },
  };
}

/** Prints a paragraph for each attempt, in the order of the probes, as soon as possible. */
function paragraphsOutput({ flags, probes, print, style }: OutputOptions): ProbeOutput {
  const waiting = new Map<ReportedProbe, string>();
  let next = 0;
  return {
    attempt(probe, attempt) {
      waiting.set(probe, attemptParagraph(probe, attempt, flags.verbose ?? false, style));
      for (let due = probes[next]; due !== undefined; due = probes[next]) {
        const paragraph = waiting.get(due);
        if (paragraph === undefined) return;
        print(next === 0 ? paragraph : `\n${paragraph}`);
        next++;
      }
    },
    end: () => undefined,
  };
}

function linesOutput({ flags, probes, print, style }: OutputOptions): ProbeOutput {
  const width = Math.max(...probes.map((probe) => probeTitle(probe).length));
  return {
    attempt(probe, attempt) {
      print(attemptLine(probe, attempt, width, style));
      if (flags.verbose === true) print(`${attemptParagraph(probe, attempt, true, style)}\n`);
    },
    end: (tallies) =>
      probes.forEach((probe, index) => print(tallyLine(probe, tallies[index] ?? NO_ATTEMPT))),
  };
}
