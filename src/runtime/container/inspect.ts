import { JsonReader, omitUndefined, ownField, type Time } from '../../api/index.js';
import { parseTime } from '../../clock/rfc3339.js';

/** A container's port that the engine publishes on its machine. */
interface PublishedPort {
  readonly containerPort: number;
  readonly protocol: string;
  readonly hostIP: string;
  readonly hostPort: number;
}

type EngineState = 'created' | 'running' | 'paused' | 'restarting' | 'exited' | 'dead';

/** The fields of `inspect` that kprobe reads. */
export interface Inspected {
  readonly id: string;
  readonly name: string;
  readonly state: EngineState;
  readonly pid: number;
  readonly exitCode: number;
  readonly oomKilled: boolean;
  readonly hasMemoryLimit: boolean;
  /** The error of a failed start; empty without one. */
  readonly error: string;
  /** True when the container has a terminal, whose output is one stream. */
  readonly tty: boolean;
  readonly createdAt: Time;
  readonly startedAt?: Time;
  readonly finishedAt?: Time;
  /** The name of the policy by which the engine starts it again after this end; undefined when it does not. */
  readonly restartPolicy?: string;
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly networkMode: string;
  readonly ips: readonly string[];
  readonly published: readonly PublishedPort[];
  /** Exposed ports, such as `80/tcp`. */
  readonly exposed: readonly string[];
  /** Times are in milliseconds; 0 is the engine's default. */
  readonly healthcheck?: ReturnType<typeof healthcheckOf>;
}

/** Returns true while the container's processes exist; for the kubelet a paused container runs. */
export function isAlive({ state }: Inspected): boolean {
  return state === 'running' || state === 'paused';
}

/** Reads what `inspect` printed; throws when that is no list of objects. */
export function parseInspect(json: string): readonly Inspected[] {
  const parsed: unknown = JSON.parse(json);
  if (!Array.isArray(parsed)) throw new TypeError('inspect printed no list');
  return parsed.map((each) => inspected(new JsonReader(each)));
}

export function inspected(object: JsonReader): Inspected {
  const state = object.in('State');
  const config = object.in('Config');
  const network = object.in('NetworkSettings');
  const hostConfig = object.in('HostConfig');
  const startedAt = parseTime(state.text('StartedAt'));
  const finishedAt = parseTime(state.text('FinishedAt'));
  const healthcheck = healthcheckOf(config.in('Healthcheck'));
  const restartPolicy = restartPolicyOf(object);
  return {
    id: object.text('Id'),
    name: object.text('Name').replace(/^\//, ''),
    state: engineState(state.text('Status')),
    pid: state.number('Pid'),
    exitCode: state.number('ExitCode'),
    oomKilled: state.flag('OOMKilled'),
    hasMemoryLimit: hostConfig.number('Memory') > 0,
    error: state.text('Error'),
    tty: config.flag('Tty'),
    createdAt: parseTime(object.text('Created')) ?? 0,
    image: config.text('Image'),
    labels: config.in('Labels').texts(),
    networkMode: hostConfig.text('NetworkMode'),
    ips: addresses(network),
    published: publishedPorts(network.in('Ports')),
    exposed: config.in('ExposedPorts').keys(),
    ...omitUndefined({ startedAt, finishedAt, healthcheck, restartPolicy }),
  };
}

const STATES: Readonly<Record<string, EngineState>> = {
  created: 'created',
  configured: 'created',
  initialized: 'created',
  running: 'running',
  paused: 'paused',
  pausing: 'paused',
  restarting: 'restarting',
  stopping: 'running',
  dead: 'dead',
};

/** Returns the state of a container, for which engines have different words. */
export function engineState(status: string): EngineState {
  return ownField(STATES, status.toLowerCase()) ?? 'exited';
}

/** While the engine waits with the next start, the container's state is `restarting`. */
function restartPolicyOf(object: JsonReader): string | undefined {
  const isRestarting = engineState(object.in('State').text('Status')) === 'restarting';
  const name = object.in('HostConfig').in('RestartPolicy').text('Name');
  return isRestarting && name !== '' ? name : undefined;
}

function addresses(network: JsonReader): readonly string[] {
  const direct = [network.text('IPAddress'), network.text('GlobalIPv6Address')];
  const networks = network.in('Networks');
  const others = networks.keys().flatMap((name) => {
    const each = networks.in(name);
    return [each.text('IPAddress'), each.text('GlobalIPv6Address')];
  });
  return [...new Set([...direct, ...others])].filter((ip) => ip !== '');
}

function publishedPorts(ports: JsonReader): readonly PublishedPort[] {
  return ports.keys().flatMap((key) => {
    const [port = '', protocol = 'tcp'] = key.split('/');
    return ports.list(key).map((binding) => ({
      containerPort: Number(port),
      protocol,
      hostIP: binding.text('HostIp'),
      hostPort: Number(binding.text('HostPort')),
    }));
  });
}

function healthcheckOf(health: JsonReader) {
  const test = health.strings('Test');
  if (test.length === 0) return undefined;
  return {
    test,
    interval: health.number('Interval') / 1e6,
    timeout: health.number('Timeout') / 1e6,
    startPeriod: health.number('StartPeriod') / 1e6,
    startInterval: health.number('StartInterval') / 1e6,
    retries: health.number('Retries'),
  };
}
