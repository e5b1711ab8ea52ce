import type { Container, HTTPGetAction, LifecycleHandler, Pod } from '../../api/index.js';
import { type Clock, sleep } from '../../clock/clock.js';
import { toText } from '../../go/byte-string.js';
import type { HttpRequest } from '../../go/http/request.js';
import { goQuote } from '../../go/quote.js';
import type { EmitEvent, HookName } from '../../trace/event.js';
import type { EventRecorder } from '../event-recorder.js';
import { buildContainerID, formatPod, podKey } from '../pod-name.js';
import type { ExecResult, ProbeTransports, Runtime } from '../ports.js';
import { execSync } from '../prober/exec-probe.js';
import { newRequestForHTTPGetAction } from '../prober/http-request.js';
import { behaviorOf, type KubeletConfig } from '../release.js';

export interface HookRunnerOptions {
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly transports: ProbeTransports;
  readonly recorder: EventRecorder;
  readonly emit: EmitEvent;
  readonly kubelet: KubeletConfig;
  /** Returns false for a container whose exec and HTTP hooks count as succeeded without being run. */
  readonly runsHooks?: ((container: string) => boolean) | undefined;
}

interface HookRun {
  readonly name: HookName;
  readonly pod: Pod;
  readonly container: Container;
  readonly id: string;
  readonly handler: LifecycleHandler;
  readonly podIPs: readonly string[];
}

/** Runs lifecycle hooks. Ports handlerRunner (pkg/kubelet/lifecycle/handlers.go). */
export class HookRunner {
  constructor(private readonly options: HookRunnerOptions) {}

  /** Resolves with the error message, or undefined. Ports Run. */
  async run(hook: HookRun): Promise<string | undefined> {
    const { emit, runsHooks } = this.options;
    const { exec, httpGet } = hook.handler;
    const reachesContainer = exec !== undefined || httpGet !== undefined;
    if (reachesContainer && runsHooks?.(hook.container.name) === false) return undefined;
    const subject = { pod: podKey(hook.pod), container: hook.container.name, hook: hook.name };
    emit({ kind: 'hook', ...subject });
    const error = await this.#run(hook);
    emit({ kind: 'hookDone', ...subject, ...(error !== undefined && { error }) });
    return error;
  }

  async #run(hook: HookRun): Promise<string | undefined> {
    const { pod, container, handler } = hook;
    const failure = `for Container ${goQuote(container.name)} in Pod ${goQuote(formatPod(pod))} failed - error:`;
    if (handler.exec !== undefined) {
      const command = handler.exec.command ?? [];
      const result = await execSync(this.options.runtime)(hook.id, command, 0);
      const failed = execFailure(command, result);
      if (failed === undefined) return undefined;
      return `Exec lifecycle hook ([${command.join(' ')}]) ${failure} ${failed.error}, message: ${failed.output}`;
    }
    if (handler.httpGet !== undefined) {
      const error = await this.#runHTTP(hook, handler.httpGet);
      if (error === undefined) return undefined;
      return `HTTP lifecycle hook (${handler.httpGet.path ?? ''}) ${failure} ${error}`;
    }
    if (handler.sleep !== undefined) {
      await sleep(this.options.clock, handler.sleep.seconds * 1000);
      return undefined;
    }
    return `Cannot run handler: invalid handler: ${handlerText(handler)}`;
  }

  /** Ports runHTTPHandler (pkg/kubelet/lifecycle/handlers.go). */
  async #runHTTP(
    { pod, container, id, podIPs }: HookRun,
    action: HTTPGetAction,
  ): Promise<string | undefined> {
    const { runtime, transports, recorder, kubelet } = this.options;
    // A pod on the node's network has no address of its own in the runtime.
    const podIP = pod.spec.hostNetwork === true ? undefined : podIPs[0];
    const host = action.host ?? '';
    if (host === '' && podIP === undefined) return 'failed to find networking container';
    const request = newRequestForHTTPGetAction(action, {
      container,
      podIP: podIP ?? '',
      userAgentFragment: 'lifecycle',
      kubeletVersion: kubelet.version,
      behavior: behaviorOf(kubelet),
    });
    if (!request.ok) return request.error;
    const target = { pod, container, containerID: buildContainerID(runtime.name, id) };
    const error = await transports.httpHook(target, request.value);
    if (error?.includes(HTTP_TO_HTTPS) !== true) return error;
    const retryError = await transports.httpHook(target, withPlainHTTP(request.value));
    if (retryError !== undefined) return error;
    const message = `request to HTTPS lifecycle hook ${toText(request.value.url.host)} got HTTP response, retry with HTTP succeeded`;
    recorder.podEvent(pod, 'Warning', 'LifecycleHTTPFallback', message);
    return undefined;
  }
}

/** Error of Go's client when a server does not speak TLS. Ports isHTTPResponseError (handlers.go). */
const HTTP_TO_HTTPS = 'server gave HTTP response to HTTPS client';

/** Returns the request for plain HTTP, without credentials. */
function withPlainHTTP(request: HttpRequest): HttpRequest {
  const header = new Map([...request.header].filter(([name]) => name !== 'Authorization'));
  return { ...request, url: { ...request.url, scheme: 'http' }, header };
}

/** Formats a handler that the kubelet cannot run, as Go does. */
function handlerText({ tcpSocket }: LifecycleHandler): string {
  let socket = 'nil';
  if (tcpSocket !== undefined) {
    const { port, host = '' } = tcpSocket;
    const portText = typeof port === 'number' ? `{0 ${port} }` : `{1 0 ${port}}`;
    socket = `&TCPSocketAction{Port:${portText},Host:${host},}`;
  }
  return `&LifecycleHandler{Exec:nil,HTTPGet:nil,TCPSocket:${socket},Sleep:nil,}`;
}

const decoder = new TextDecoder();

/** Returns the error of a hook's command and its quoted output, or undefined when it succeeded. */
function execFailure(
  command: readonly string[],
  result: ExecResult,
): { error: string; output: string } | undefined {
  const line = command.join(' ');
  const noOutput = goQuote('');
  if (result.kind === 'error') return { error: result.message, output: noOutput };
  if (result.kind === 'timedOut') {
    return { error: `command timed out: ${goQuote(line)}`, output: noOutput };
  }
  if (result.exitCode === 0) return undefined;
  const stderr = decoder.decode(result.stderr);
  const error = `command '${line}' exited with ${result.exitCode}: ${stderr}`;
  return { error, output: goQuote(decoder.decode(result.stdout) + stderr) };
}
