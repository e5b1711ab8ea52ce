import { platform } from 'node:os';

import type { EngineCli } from './engine-cli.js';

/** Whether the engine's containers are processes of this machine, so that their addresses can be reached from it. */
export async function isNativeEngine(cli: EngineCli): Promise<boolean> {
  if (platform() !== 'linux') return false;
  const end = await cli.call(['info', '--format', '{{json .}}'], { maxOutput: 1024 * 1024 });
  if (end.kind !== 'exited') return false;
  return !/Docker Desktop|docker-desktop/.test(new TextDecoder().decode(end.stdout));
}
