import type { Clock } from '../../clock/clock.js';
import type { Host } from '../host.js';
import { CliEngine } from './cli-engine.js';
import { assertAnswers, type Engine } from './engine.js';
import { EngineCli } from './engine-cli.js';
import type { EngineName } from './engine-kind.js';

/**
 * Connects to the engine that the environment and the CLI's configuration name: to its socket where that is of this
 * machine, otherwise through the CLI.
 *
 * @throws RuntimeError when the engine does not answer
 */
export async function connectEngine(name: EngineName, clock: Clock, host: Host): Promise<Engine> {
  const cli = new EngineCli(name, clock, host);
  const endpoint = await endpointOf(cli);
  const own = endpoint === '' ? await podmanSocket(cli) : endpoint;
  if (own.startsWith('unix://')) {
    const { ApiEngine } = await import('./api-engine.js');
    const engine = new ApiEngine(cli, own);
    const trouble = await engine.trouble();
    if (trouble === undefined) return engine;
    // Nobody has asked for this socket.
    if (endpoint !== '') throw trouble;
  }
  const engine = new CliEngine(cli, endpoint);
  await assertAnswers(engine);
  return engine;
}

/** Returns the address that the environment names, or docker's context. */
async function endpointOf(cli: EngineCli): Promise<string> {
  if (cli.kind.name === 'podman') return cli.host.env['CONTAINER_HOST'] ?? '';
  return cli.run(['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}']);
}

/** Returns the address of podman's service, which may not run. */
async function podmanSocket(cli: EngineCli): Promise<string> {
  const path = await cli.run(['info', '--format', '{{.Host.RemoteSocket.Path}}']);
  return path.startsWith('/') ? `unix://${path}` : path;
}
