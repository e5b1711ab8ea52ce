export interface ConditionView {
  readonly status: string;
  /** `ContainersNotReady: containers with unready status: [app]`; empty for a condition without a reason. */
  readonly reason: string;
}

type Conditions = Readonly<Record<string, ConditionView>>;

/** Parses the trace's form of conditions: `False ContainersNotReady: containers with unready status: [app]`. */
export function parseConditions(texts: Readonly<Record<string, string>>): Conditions {
  const entries = Object.entries(texts).map(([type, text]) => {
    const [status = ''] = text.split(' ', 1);
    return [type, { status, reason: text.slice(status.length + 1) }] as const;
  });
  return Object.fromEntries(entries);
}

export function conditionText({ status, reason }: ConditionView): string {
  return reason === '' ? status : `${status} ${reason}`;
}

export function isPodReady({ conditions }: { readonly conditions: Conditions }): boolean {
  return conditions['Ready']?.status === 'True';
}
