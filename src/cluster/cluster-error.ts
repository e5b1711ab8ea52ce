export type ClusterErrorCode =
  /** Wrong flags, a kubeconfig that cannot be read, a request that the API server rejects. */
  | 'invalid'
  /** Missing or expired credentials, or a credential plugin that failed. */
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  /** The resource version, or the page of a list, is too old (410). */
  | 'expired'
  /** Too many requests, or not ready yet (429, 503). */
  | 'busy'
  | 'timeout'
  | 'unreachable'
  /** The certificate of the server does not verify. */
  | 'untrusted'
  | 'failed';

/** A failed request to a cluster, as one line without secrets of the kubeconfig. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';

  constructor(
    readonly code: ClusterErrorCode,
    message: string,
    readonly detail: {
      /** The rule to add to a Role, as YAML. */
      readonly rule?: string;
      /** Milliseconds from the header Retry-After. */
      readonly retryAfter?: number;
    } = {},
  ) {
    super(message);
  }

  get rule(): string | undefined {
    return this.detail.rule;
  }
}

/** Returns the missing permission, and the rule that grants it. */
export function withRule({ message, rule }: ClusterError): string {
  if (rule === undefined) return message;
  const inline = rule.trim().replace(/^- /, '').replaceAll(/\n\s+/g, ', ');
  return `${message}; add this rule: - {${inline}}`;
}
