import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { isSea } from 'node:sea';

import { Argument, type Command } from '@commander-js/extra-typings';

import { type CommandInput, type Io, write } from '../../cli/shared/io.js';
import { withShared } from '../../cli/shared/options.js';
import { outputTheme } from '../../cli/shared/output-style.js';
import { runPods } from '../../cli/shared/run/run-pods.js';
import { RealClock } from '../../clock/real-clock.js';
import { DEFAULT_KUBELET } from '../../kubelet/release.js';
import { dumpYaml } from '../../manifest/documents/dump-yaml.js';
import { loadManifest } from '../../manifest/pods/load-manifest.js';
import { waitForGoal } from '../../session/wait-for-goal.js';
import { wrapText } from '../../text/line.js';
import { serveDemo } from './demo-server.js';
import { type DemoFault, FAULTS } from './faults.js';

const [FIRST] = FAULTS as readonly [DemoFault, ...DemoFault[]];

export function options(program: Command) {
  const names = FAULTS.map(({ name }) => name);
  const faults = FAULTS.map(({ name, summary }) => `${name} (${summary})`).join(', ');
  const command = program
    .command('demo')
    .description(
      `Watch a kubelet's decisions about a built-in server with a fault; no file is needed. Faults: ${faults}.`,
    )
    .addArgument(
      new Argument('[fault]', `what is wrong with the server (${FIRST.name})`).choices(names),
    );
  return withShared(command, 'plain', 'color');
}

type DemoFlags = ReturnType<ReturnType<typeof options>['opts']>;

export async function command(
  { paths: [name], flags }: CommandInput<DemoFlags>,
  io: Io,
): Promise<number> {
  const fault = faultNamed(name);
  const [port, other] = await freePorts();
  const served = fault.behavior.isElsewhere === true ? other : port;
  const sources = [{ file: 'demo.yaml', text: manifestOf(port) }];
  const manifest = loadManifest(sources);
  const clock = new RealClock();
  // A single executable has no script.
  const script = isSea() ? [] : [process.argv[1] ?? ''];
  const exitCode = await runPods({
    command: 'kprobe run',
    paths: [],
    sources,
    manifest,
    io,
    clock,
    commandLine: [process.execPath, ...script, '__demo-server', fault.name, String(served)],
    flags: { ...flags, host: '127.0.0.1', validate: true },
    kubelet: DEFAULT_KUBELET,
    files: { metrics: undefined, traceFile: undefined },
    run: ({ session, start, quit }) => {
      start();
      const ends = quit === undefined ? { goal: fault.goal } : { goal: OPEN, quit };
      return waitForGoal({ clock, session, signal: io.signal, ...ends });
    },
  });
  await write(io.stdout, lessonText(fault, outputTheme(flags, io).columns));
  return exitCode;
}

const OPEN = { kind: 'open' } as const;

/** Runs the server in its own process, as the hidden command `__demo-server`. */
export function demoServer([name, port]: readonly string[], io: Io): Promise<number> {
  const { behavior } = faultNamed(name);
  return serveDemo(behavior, Number(port), io);
}

function faultNamed(name: string | undefined): DemoFault {
  return FAULTS.find((fault) => fault.name === name) ?? FIRST;
}

/** Ports outside the range that a system assigns: a diagnosis proposes them. */
const PORTS = [10_000, 32_768] as const;

/** Listens on a free port. Two demos that start at once rarely choose the same one. */
async function listenAnywhere(): Promise<Server> {
  const server = createServer().listen(randomInt(...PORTS));
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return listenAnywhere();
  }
}

/** Returns two ports that nothing listens on: both are held until both are known. */
async function freePorts(): Promise<readonly [number, number]> {
  const servers = await Promise.all([listenAnywhere(), listenAnywhere()]);
  const [port = 0, other = 0] = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return [port, other];
}

function manifestOf(port: number): string {
  const probe = (path: string, settings: object): object => ({
    httpGet: { path, port: 'http' },
    periodSeconds: 1,
    ...settings,
  });
  const container = {
    name: 'shop',
    image: 'demo:1',
    ports: [{ name: 'http', containerPort: port }],
    startupProbe: probe('/healthz', { failureThreshold: 10 }),
    readinessProbe: probe('/ready', { failureThreshold: 2 }),
    livenessProbe: probe('/healthz', { failureThreshold: 4 }),
  };
  return dumpYaml({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'demo' },
    spec: { terminationGracePeriodSeconds: 2, containers: [container] },
  });
}

function lessonText(fault: DemoFault, columns: number): string {
  const others = FAULTS.filter((each) => each !== fault).map(({ name }) => name);
  const texts = [
    `Lesson: ${fault.lesson}`,
    `Other faults: kprobe demo ${others.join(' | ')}. Your own server: kprobe init -- node server.js`,
  ];
  return texts.map((text) => `\n${wrapText(text, columns).join('\n')}\n`).join('');
}
