const AMOUNT = String.raw`\+?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)`;
const duration = { pattern: `^${AMOUNT}$` };
const spread = {
  pattern: String.raw`^${AMOUNT}(?:\s*(?:±|\+-|\+/-|\.\.)\s*${AMOUNT})?$`,
};
const window = { pattern: String.raw`^${AMOUNT}\s*\.\.\s*(?:${AMOUNT})?$` };
const rate = {
  pattern: String.raw`^(?:0*(?:\d{1,2}(?:\.\d+)?|\.\d+|100(?:\.0+)?)\s*%|0+(?:\.\d+)?|\.\d+|0*1(?:\.0+)?)\s*$`,
};
const perProbe = { propertyNames: { enum: ['startup', 'readiness', 'liveness'] } };

const UNTIL =
  'The answer applies while the container is younger than this; the last answer needs none.';
const TAKES = "Latency of the answer; beyond the probe's timeout there is no answer.";
const REFUSED = 'Nothing listens.';
const ANSWERS = 'each with its answers in order of time.';
const BEHAVIOR = {
  readyAfter: [
    'Nothing listens until the container has this age; for a probe: the app answers that it is not ready.',
    spread,
  ],
  latency: ['Latency of an answer.', spread],
  failRate: ['Share of attempts that fail: 2% or 0.02.', rate],
};
const behavior = Object.entries(BEHAVIOR).map(([field, [description, form]]) => [
  `ScenarioBehavior.${field}`,
  { description, ...form },
]);

/** Descriptions and patterns of a scenario's fields, which the field tables do not have. */
export const FIELDS = {
  'Scenario.name': {
    description: 'Name of the trace; required unless the pod comes from a manifest.',
    pattern: String.raw`^(?!\.+$)[A-Za-z0-9_.-]+$`,
  },
  'Scenario.until': {
    description: 'Length of the simulation; 10m when the pod comes from a manifest.',
    ...duration,
  },
  'Scenario.kubeletUp': {
    description: 'Uptime of the kubelet when the pod is added.',
    ...duration,
  },
  'Scenario.pod': {
    description: 'The pod; by default, that of the manifest that is simulated with the scenario.',
  },
  'Scenario.containers': { description: 'Behavior of the containers, by name.' },
  'Scenario.actions': { description: 'Actions on the pod from outside.' },
  ...Object.fromEntries(behavior),
  'ScenarioBehavior.hangsAt': {
    description:
      'Ages of the container between which it does not answer: 60s..90s; 60s.. has no end.',
    each: window,
  },
  'ScenarioContainer.probes': {
    description: 'Behavior toward single probes; overrides that of the container.',
    ...perProbe,
  },
  'ScenarioContainer.runs': { description: 'Behavior in each run; the last one repeats.' },
  'ScenarioRun.startError': { description: 'The runtime fails to start it, with this message.' },
  'ScenarioRun.exitAfter': { description: 'It exits by itself at this age.', ...spread },
  'ScenarioRun.exitCode': { description: 'Exit code when it exits by itself (0).' },
  'ScenarioRun.stopTakes': {
    description: 'Time from TERM to its end; after the grace period it is killed.',
    ...duration,
  },
  'ScenarioRun.stopExitCode': { description: 'Exit code when it ends after TERM (143).' },
  'ScenarioRun.probes': {
    description: 'Behavior toward single probes in this run; overrides that of the run.',
    ...perProbe,
  },
  'ScenarioRun.exec': { description: `Commands, their arguments joined with spaces, ${ANSWERS}` },
  'ScenarioRun.http': {
    description: `HTTP endpoints, as /path, :port/path or port/path, ${ANSWERS}`,
  },
  'ScenarioRun.tcp': { description: `TCP ports, ${ANSWERS}` },
  'ScenarioRun.grpc': {
    description: `gRPC endpoints, as port or port/service, ${ANSWERS}`,
  },
  'ScenarioHttpAnswer.until': { description: UNTIL, ...duration },
  'ScenarioHttpAnswer.takes': { description: TAKES, ...duration },
  'ScenarioHttpAnswer.status': { description: 'The status code (200).' },
  'ScenarioHttpAnswer.body': { description: 'The body.' },
  'ScenarioHttpAnswer.refused': { description: REFUSED },
  'ScenarioTcpAnswer.until': { description: UNTIL, ...duration },
  'ScenarioTcpAnswer.takes': { description: TAKES, ...duration },
  'ScenarioTcpAnswer.refused': { description: REFUSED },
  'ScenarioGrpcAnswer.until': { description: UNTIL, ...duration },
  'ScenarioGrpcAnswer.takes': { description: TAKES, ...duration },
  'ScenarioGrpcAnswer.status': {
    description: 'The health status (SERVING).',
    enum: ['SERVING', 'NOT_SERVING', 'UNKNOWN', 'SERVICE_UNKNOWN'],
  },
  'ScenarioGrpcAnswer.refused': { description: REFUSED },
  'ScenarioAnswer.until': { description: UNTIL, ...duration },
  'ScenarioAnswer.takes': { description: TAKES, ...duration },
  'ScenarioAnswer.exit': { description: 'Exit code of the command (0).' },
  'ScenarioAnswer.stdout': { description: 'Its output on stdout.' },
  'ScenarioAnswer.stderr': { description: 'Its output on stderr.' },
  'ScenarioAnswer.error': { description: 'The runtime itself fails, with this message.' },
  'ScenarioAction.at': { description: 'Time since the start of the simulation.', ...duration },
  'ScenarioAction.do': { description: 'The action.', enum: ['delete', 'update'] },
  'ScenarioAction.pod': { description: 'For update: the new pod.' },
};
