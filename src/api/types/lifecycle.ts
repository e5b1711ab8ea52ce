import type { ExecAction, HTTPGetAction, TCPSocketAction } from './probe.js';

export interface SleepAction {
  readonly seconds: number;
}

/** One hook's handler. `tcpSocket` is accepted by the API and refused by the kubelet. */
export interface LifecycleHandler {
  readonly exec?: ExecAction;
  readonly httpGet?: HTTPGetAction;
  readonly tcpSocket?: TCPSocketAction;
  readonly sleep?: SleepAction;
}

export interface Lifecycle {
  readonly postStart?: LifecycleHandler;
  readonly preStop?: LifecycleHandler;
}
