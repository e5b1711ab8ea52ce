import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** Runs a command; returns its CPU in seconds, its peak memory in KiB, its exit code and its standard output in Latin-1. */
export async function timed([command, ...args]) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks = [];
  child.stdout.on('data', (chunk) => chunks.push(chunk));
  let usage = { cpu: 0, memory: 0 };
  const timer = setInterval(() => (usage = usageOf(child.pid) ?? usage), 20);
  const [exit] = await once(child, 'close');
  clearInterval(timer);
  return { ...usage, exit, text: Buffer.concat(chunks).toString('latin1') };
}

/** Returns the CPU of a process in seconds, and its peak memory in KiB; undefined once it has ended. */
export function usageOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ');
    const memory = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]);
    return { cpu: (Number(stat[11]) + Number(stat[12])) / 100, memory };
  } catch {
    return undefined;
  }
}
