/** An event as the API server would have it, were all of them sent. Times are seconds since the trace began. */
export interface EventView {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The container that it is about; empty for the pod. */
  readonly container: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** What `kubectl` would show of it: the kubelet's rate limit has held the others back. */
  readonly sent?: { readonly count: number; readonly lastAt: number };
}

/** What the kubelet's event recorder remembers of a pod's events. */
export interface EventCorrelation {
  /** Tokens left, by type. */
  readonly budgets: Readonly<Record<string, { readonly tokens: number; readonly at: number }>>;
  /** Different messages lately, by type and reason. */
  readonly groups: Readonly<
    Record<string, { readonly messages: readonly string[]; readonly at: number }>
  >;
}

export const NO_CORRELATION: EventCorrelation = { budgets: {}, groups: {} };
