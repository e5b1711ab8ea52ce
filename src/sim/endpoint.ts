import type { Container, HTTPGetAction, Probe } from '../api/index.js';
import type { HttpRequest } from '../go/http/request.js';
import { requestURI } from '../go/url.js';
import { expandContainerCommandOnlyStatic } from '../kubelet/prober/exec-probe.js';
import {
  newRequestForHTTPGetAction,
  resolveContainerPort,
} from '../kubelet/prober/http-request.js';
import { containerProbes } from '../kubelet/prober/probe-of.js';
import type { ProbeType } from '../trace/event.js';

/*
 * Endpoints are named `exec cat /tmp/ok`, `http :8080/healthz`, `tcp :5432` and `grpc :9000/shop`. Probes of the same
 * endpoint get the same answers: the app cannot tell them apart.
 */

export function execEndpoint(line: string): string {
  return `exec ${line}`;
}

export function httpEndpoint({ url }: HttpRequest): string {
  return `http ${url.host.replace(/^.*(?=:\d+$)/, '')}${requestURI(url)}`;
}

export function tcpEndpoint(port: number): string {
  return `tcp :${port}`;
}

export function grpcEndpoint(port: number, service: string): string {
  return `grpc :${port}${service === '' ? '' : `/${service}`}`;
}

/** Returns a probe's endpoint; undefined when its port or URL cannot be resolved. */
export function endpointOf(probe: Probe, container: Container): string | undefined {
  const { exec, httpGet, tcpSocket, grpc } = probe;
  if (exec !== undefined) {
    const command = expandContainerCommandOnlyStatic(exec.command ?? [], container.env);
    return execEndpoint(command.join(' '));
  }
  if (httpGet !== undefined) return httpGetEndpoint(httpGet, container);
  if (tcpSocket !== undefined) {
    const port = resolveContainerPort(tcpSocket.port, container);
    return port.ok ? tcpEndpoint(port.value) : undefined;
  }
  return grpc === undefined ? undefined : grpcEndpoint(grpc.port, grpc.service ?? '');
}

function httpGetEndpoint(action: HTTPGetAction, container: Container): string | undefined {
  const options = { container, podIP: '', userAgentFragment: 'probe' } as const;
  const request = newRequestForHTTPGetAction(action, options);
  return request.ok ? httpEndpoint(request.value) : undefined;
}

export function probeEndpoints(container: Container): ReadonlyMap<ProbeType, string> {
  const found = containerProbes(container).flatMap(({ type, probe }) => {
    const endpoint = endpointOf(probe, container);
    return endpoint === undefined ? [] : [[type, endpoint] as const];
  });
  return new Map(found);
}

export function hookEndpoints(container: Container): readonly string[] {
  const { postStart, preStop } = container.lifecycle ?? {};
  return [postStart, preStop].flatMap((handler) => {
    const endpoint = handler?.httpGet && httpGetEndpoint(handler.httpGet, container);
    return endpoint === undefined ? [] : [endpoint];
  });
}
