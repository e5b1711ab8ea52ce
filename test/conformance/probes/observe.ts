import { setTimeout as sleep } from 'node:timers/promises';

import type { CaseFile, CaseSpec } from '../../helpers/servers/case-file.js';
import type { Expected, Observed } from './expected.js';
import { type CaseRun, runCase } from './run-case.js';

/** What servers have read is also looked at within this time, in milliseconds. */
const SETTLE = 5;

/** Makes a case's attempt against the servers played here, and tells what they saw of it. */
export async function observe(
  file: CaseFile,
  spec: CaseSpec,
  kubeletVersion?: string,
): Promise<Observed> {
  const { fleet, refs } = file;
  const ids = refs.get(spec.id) ?? [];
  await fleet.reset(ids);
  const run = await runCase(spec, kubeletVersion);
  const servers = ids.map((id) => fleet.server(id));
  for (const server of servers) await server.fence();
  await sleep(SETTLE);
  const counted = servers.every(({ counts }) => counts);
  const connections = servers.reduce((sum, server) => sum + server.connections, 0);
  const isExec = spec.probe.exec !== undefined;
  const norm = (text: string): string => fleet.normalize(text);
  const observed: Observed = {
    ...normalizedRun(run, norm),
    attempts: isExec ? run.tries : counted ? connections : null,
    requests: fleet.requestsOf(ids).map(({ server, raw }) => ({ server, raw: norm(raw) })),
    elapsedClass: elapsedClass(run.elapsedMs, (spec.probe.timeoutSeconds || 1) * 1000),
  };
  await fleet.reset(ids);
  return observed;
}

/** What an attempt came to, with tokens for what is no other's. */
export function normalizedRun(run: CaseRun, normalize: (text: string) => string): CaseRun {
  const norm = (text: string): string => normalize(text).replace(EXEC_ID, '$1{EXECID}');
  return {
    ...run,
    output: norm(run.output),
    error: run.error === null ? null : norm(run.error),
    event: run.event && { ...run.event, message: norm(run.event.message) },
  };
}

const EXEC_ID = /(failed to start exec ")[0-9a-f]{64}/;

function elapsedClass(elapsed: number, timeout: number): string {
  if (elapsed < timeout / 2) return 'fast';
  return elapsed >= timeout ? 'timeout' : 'between';
}

export function parseExpected(text: string): Map<string, Expected> {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => JSON.parse(line) as Expected).map((each) => [each.id, each]));
}
