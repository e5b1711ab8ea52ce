import type { Command } from '@commander-js/extra-typings';

import { EXIT } from '../shared/exit-code.js';
import type { CommandInput, Io } from '../shared/io.js';
import type { McpFlags } from './tools.js';

/** Adds `kprobe mcp` to the program. */
export function mcpOptions(program: Command) {
  return program
    .command('mcp')
    .description(
      `Serve kprobe to assistants: a server of the Model Context Protocol on standard input and output, with the tools validate, lint, lint_rule, explain, explain_event, simulate, once, diagnose_recording and diagnose_pod.

By default it reads manifests and recordings in this folder, and makes HTTP, TCP and gRPC attempts at this machine's loopback addresses. It starts nothing, writes nothing, and asks no cluster.`,
    )
    .option('--allow-host', 'let once make attempts at other hosts')
    .option('--allow-local-exec', 'let once run the exec probes of a manifest on this machine')
    .option(
      '--allow-cluster',
      'let tools read objects of a cluster through the kubeconfig, which may run its credential plugin',
    );
}

/** `kprobe mcp`: resolves with the exit code when the client has gone. */
export async function mcpCommand({ flags }: CommandInput<McpFlags>, io: Io): Promise<number> {
  const { serve } = await import('./mcp-server.js');
  await serve(flags, io);
  return io.signal.aborted ? Number(io.signal.reason) : EXIT.success;
}
