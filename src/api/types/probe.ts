/** A port by number, or by the name of a container port. */
export type IntOrString = number | string;

export type URIScheme = 'HTTP' | 'HTTPS';

export interface HTTPHeader {
  readonly name: string;
  readonly value: string;
}

export interface HTTPGetAction {
  readonly path?: string;
  readonly port: IntOrString;
  readonly host?: string;
  readonly scheme?: URIScheme;
  readonly httpHeaders?: readonly HTTPHeader[];
}

export interface TCPSocketAction {
  readonly port: IntOrString;
  readonly host?: string;
}

export interface GRPCAction {
  readonly port: number;
  readonly service?: string;
}

export interface ExecAction {
  readonly command?: readonly string[];
}

/** v1.Probe after defaulting: the numbers are always there. Of several handlers the first in this order counts. */
export interface Probe {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly grpc?: GRPCAction;
  /** Seconds from the container's start to the first attempt. */
  readonly initialDelaySeconds: number;
  readonly timeoutSeconds: number;
  readonly periodSeconds: number;
  readonly successThreshold: number;
  readonly failureThreshold: number;
  /** The grace period of a kill that this probe causes; the pod's when unset. */
  readonly terminationGracePeriodSeconds?: number;
}
