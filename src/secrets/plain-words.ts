/**
 * Words of messages, and names of programs: as a password they protect nothing, and masking them would spoil the output
 * of kprobe, the kubelet and databases.
 */
const PLAIN_WORDS = new Set(
  `password passwd secret token changeme change-me default example placeholder
  root admin administrator system server service client public private guest nobody anonymous username account
  postgres postgresql mysql mariadb mongodb mongo redis rabbitmq elasticsearch nextcloud wordpress gitea grafana keycloak
  probe probes failed failure success warning error errors timeout timed refused connection connect connected reset
  readiness liveness startup container containers running waiting terminated restart restarted restarts started starting
  stopped killed killing created pulled backoff back-off unhealthy healthy ready response request status statuscode address
  context deadline exceeded command signal process exited period threshold attempt attempts kubelet kubernetes
  production staging development develop testing localhost database network internal external enabled disabled`.split(
    /\s+/,
  ),
);

/** Reports whether a value has only such words. */
export function isPlainWord(value: string): boolean {
  return value
    .toLowerCase()
    .split(/\s+/)
    .every((word) => PLAIN_WORDS.has(word));
}
