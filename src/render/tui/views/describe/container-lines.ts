import type { ContainerView, RunView } from '../../../../trace/summary/container-view.js';
import { handlerText } from '../../../handler-text.js';
import { age } from '../../../text/duration.js';
import { EMPTY_LINE, type Line, span } from '../../../text/line.js';
import { field, heading } from '../../format/fields.js';
import type { FoundContainer } from '../../store/find-probe.js';
import type { Snapshot } from '../../store/snapshot.js';
import { causeText } from '../pod/container-line.js';

/** Runs that are listed. */
const MAX_RUNS = 20;

/** A container's settings, and its runs. */
export function containerLines(
  { pod, container }: FoundContainer,
  { about }: Snapshot,
  width: number,
): Line[] {
  const { spec } = container;
  const policy = spec.restartPolicy ?? pod.object.spec.restartPolicy;
  const grace = pod.object.spec.terminationGracePeriodSeconds ?? 30;
  const simulated = about.isSimulated(pod.key, container.name);
  const rows: readonly (readonly [string, string])[] = [
    ['image', spec.image],
    ['state', container.state],
    ['last state', container.lastState === '' ? 'none' : container.lastState],
    ['ports', portsText(container)],
    ['command', [...(spec.command ?? []), ...(spec.args ?? [])].join(' ') || "the image's own"],
    ['env', `${spec.env?.length ?? 0} variables`],
    ['hooks', hooksText(container)],
    ['restarts', `${policy}${simulated ? ', simulated: what answers there is left alone' : ''}`],
    ['grace', `${grace} s between TERM and KILL`],
    ['probes', probesText(container)],
  ];
  return [
    ...rows.flatMap(([name, value]) => field(name, value, width)),
    EMPTY_LINE,
    heading('Runs'),
    ...container.runs.slice(-MAX_RUNS).map(runLine),
  ];
}

function portsText({ spec }: ContainerView): string {
  const ports = (spec.ports ?? []).map(({ name, containerPort, protocol = 'TCP' }) =>
    name === undefined ? `${containerPort}/${protocol}` : `${name} ${containerPort}/${protocol}`,
  );
  return ports.length === 0 ? 'none declared' : ports.join(', ');
}

function hooksText({ spec: { lifecycle } }: ContainerView): string {
  const hooks = [
    ...(lifecycle?.postStart === undefined ? [] : ['postStart']),
    ...(lifecycle?.preStop === undefined ? [] : ['preStop']),
  ];
  return hooks.length === 0 ? 'none' : hooks.join(', ');
}

function probesText({ spec, probes }: ContainerView): string {
  const texts = probes.map(({ type }) => {
    const probe = spec[`${type}Probe`];
    return probe === undefined ? type : `${type} ${handlerText(probe, spec)}`;
  });
  return texts.length === 0 ? 'none' : texts.join('; ');
}

function runLine(run: RunView): Line {
  const { startedAt, endedAt } = run;
  const from = startedAt === undefined ? 'not started' : `from ${startedAt.toFixed(1)} s`;
  if (endedAt === undefined) return [span(`  run ${run.run}  ${from}  `), span('goes on', 'good')];
  const lived = startedAt === undefined ? '' : ` for ${age(endedAt - startedAt)}`;
  const exit = run.exitCode === undefined ? '' : `, exit ${run.exitCode}`;
  const backOff = run.backOff === undefined ? '' : `, back-off ${age(run.backOff.delay)}`;
  return [
    span(`  run ${run.run}  ${from}${lived}  `),
    span(`${causeText(run)}${exit}${backOff}`, 'bad'),
  ];
}
