import type { OncePlan, OnceProbe } from '../../app/once.js';
import {
  attemptLine,
  attemptParagraph,
  type OnceVerdict,
  probeTitle,
  type ReportedAttempt,
  type ReportedProbe,
  tallyLine,
} from '../../render/once/attempt-text.js';
import type { Write } from '../../render/renderer.js';
import type { Screen } from '../../render/text/screen.js';
import type { Tally } from '../../trace/summary/tally.js';
import type { TraceMask } from '../../trace/trace-mask.js';
import type { Io } from '../shared/io.js';
import { textScreen } from '../shared/screen.js';
import type { OnceFlags } from './once-options.js';
import { isSeveral } from './once-plan.js';

/** Shows attempts while they are made, and what they came to. */
interface OnceOutput {
  round(plan: OncePlan, attempt: ReportedAttempt): void;
  end(tallies: readonly Tally[], verdicts: readonly OnceVerdict[]): void;
}

export interface OnceOutputInput {
  readonly flags: OnceFlags;
  readonly plans: readonly OncePlan[];
  /** True where the names of probes come from a manifest. */
  readonly named: boolean;
  readonly io: Io;
  /** Masks the secrets of the probes. */
  readonly mask?: TraceMask | undefined;
}

interface OutputOptions extends Omit<OnceOutputInput, 'io'> {
  readonly print: Write;
  readonly screen: Screen;
}

/** The output that the flags ask for. What is not asked for is not loaded. */
export async function createOnceOutput({ io, ...input }: OnceOutputInput): Promise<OnceOutput> {
  const { flags, plans, named, mask } = input;
  const print = (text: string): void => void io.stdout.write(text);
  const options = { ...input, print, screen: await textScreen(flags, io) };
  const shown = (probe: OnceProbe): OnceProbe => (mask === undefined ? probe : masked(probe, mask));
  const probes = new Map(plans.map((plan) => [plan, { ...shown(plan.probe), named }]));
  if (flags.output === 'junit') return junitOutput(options, probes);
  if (flags.output === 'json') return jsonOutput(options, probes);
  return isSeveral(flags) ? linesOutput(options, probes) : paragraphsOutput(options, probes);
}

function masked(probe: OnceProbe, mask: TraceMask): OnceProbe {
  const { pod, container } = probe;
  const shown = mask.pod({ ...pod, spec: { ...pod.spec, containers: [container] } });
  return { ...probe, pod: shown, container: shown.spec.containers[0] ?? container };
}

type Probes = ReadonlyMap<OncePlan, ReportedProbe>;

async function jsonOutput({ flags, print }: OutputOptions, probes: Probes): Promise<OnceOutput> {
  const { attemptJson } = await import('../../render/once/attempt-json.js');
  return {
    round(plan, attempt) {
      const probe = probes.get(plan);
      if (probe !== undefined) print(attemptJson(probe, attempt, flags.verbose ?? false));
    },
    end: () => undefined,
  };
}

async function junitOutput({ print, plans }: OutputOptions, probes: Probes): Promise<OnceOutput> {
  const { onceJunit } = await import('../../render/once/attempt-junit.js');
  const lines = new Map<OncePlan, string[]>(plans.map((plan) => [plan, []]));
  const lasts = new Map<OncePlan, ReportedAttempt>();
  return {
    round(plan, attempt) {
      const probe = probes.get(plan);
      if (probe !== undefined) lines.get(plan)?.push(attemptLine(probe, attempt));
      lasts.set(plan, attempt);
    },
    end(_, verdicts) {
      const cases = [...probes].map(([plan, probe], index) => ({
        probe,
        verdict: verdicts[index] ?? 'unknown',
        lines: lines.get(plan) ?? [],
        last: lasts.get(plan),
      }));
      print(onceJunit(cases));
    },
  };
}

/** One attempt of each probe: paragraphs in the order of the probes, each as soon as those before it are there. */
function paragraphsOutput(
  { flags, plans, print, screen }: OutputOptions,
  probes: Probes,
): OnceOutput {
  const waiting = new Map<OncePlan, string>();
  let next = 0;
  return {
    round(plan, attempt) {
      const probe = probes.get(plan);
      if (probe === undefined) return;
      waiting.set(plan, attemptParagraph(probe, attempt, flags.verbose ?? false, screen));
      for (;;) {
        const due = plans[next];
        const paragraph = due === undefined ? undefined : waiting.get(due);
        if (paragraph === undefined) return;
        print(next === 0 ? paragraph : `\n${paragraph}`);
        next += 1;
      }
    },
    end: () => undefined,
  };
}

function linesOutput({ flags, print, screen }: OutputOptions, probes: Probes): OnceOutput {
  const width = Math.max(...[...probes.values()].map((probe) => probeTitle(probe).length));
  return {
    round(plan, attempt) {
      const probe = probes.get(plan);
      if (probe === undefined) return;
      print(attemptLine(probe, attempt, width, screen));
      if (flags.verbose === true) print(`${attemptParagraph(probe, attempt, true, screen)}\n`);
    },
    end(tallies) {
      [...probes.values()].forEach((probe, index) => {
        const tally = tallies[index];
        if (tally !== undefined) print(tallyLine(probe, tally));
      });
    },
  };
}
