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

const UNTIL = 'While the container is younger than that; the last answer needs none.';
const TAKES = "How long the answer takes; past the probe's timeout there is none.";
const REFUSED = 'Nothing listens.';
const ANSWERS = 'each with its answers in the order of time.';
const BEHAVIOUR = {
  readyAfter: [
    'Until that age of the container nothing listens; of a probe: it is told that the app is not ready.',
    spread,
  ],
  latency: ['How long an answer takes.', spread],
  failRate: ['The share of answers that are failures: 2% or 0.02.', rate],
};
const behaviour = Object.entries(BEHAVIOUR).map(([field, [description, form]]) => [
  `ScenarioBehaviour.${field}`,
  { description, ...form },
]);

/** What the field tables do not say: what each field of a scenario is for, and how its text is written. */
export const FIELDS = {
  'Scenario.name': {
    description: 'Names its trace; needed unless the pod comes from a manifest.',
    pattern: String.raw`^(?!\.+$)[A-Za-z0-9_.-]+$`,
  },
  'Scenario.until': {
    description: 'How long to look; 10m when the pod comes from a manifest.',
    ...duration,
  },
  'Scenario.kubeletUp': {
    description: 'How long the kubelet has run when the pod is added.',
    ...duration,
  },
  'Scenario.pod': { description: 'The pod; without it, that of the manifest beside the scenario.' },
  'Scenario.containers': { description: 'What the containers do, by name.' },
  'Scenario.actions': { description: 'What is done to the pod from outside.' },
  ...Object.fromEntries(behaviour),
  'ScenarioBehaviour.hangsAt': {
    description:
      'Ages of the container between which it does not answer: 60s..90s, or 60s.. for ever.',
    each: window,
  },
  'ScenarioContainer.probes': {
    description: 'What a single probe gets; it goes over what is said of the container.',
    ...perProbe,
  },
  'ScenarioContainer.runs': { description: 'What it does run by run; the last one repeats.' },
  'ScenarioRun.startError': { description: 'The runtime refuses to start it, with this message.' },
  'ScenarioRun.exitAfter': { description: 'It ends by itself at that age.', ...spread },
  'ScenarioRun.exitCode': { description: 'The exit code when it ends by itself (0).' },
  'ScenarioRun.stopTakes': {
    description: 'How long it takes to end after TERM; past the grace period it is killed.',
    ...duration,
  },
  'ScenarioRun.stopExitCode': { description: 'The exit code when it ends after TERM (143).' },
  'ScenarioRun.probes': {
    description: 'What a single probe gets in this run; it goes over what is said of the run.',
    ...perProbe,
  },
  'ScenarioRun.exec': { description: `Commands, their arguments joined with spaces, ${ANSWERS}` },
  'ScenarioRun.http': {
    description: `What is asked over HTTP, as /path, :port/path or port/path, ${ANSWERS}`,
  },
  'ScenarioRun.tcp': { description: `Ports that are connected to, ${ANSWERS}` },
  'ScenarioRun.grpc': {
    description: `What is asked over gRPC, as port or port/service, ${ANSWERS}`,
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
  'ScenarioAnswer.exit': { description: "The command's exit code (0)." },
  'ScenarioAnswer.stdout': { description: 'What it writes to stdout.' },
  'ScenarioAnswer.stderr': { description: 'What it writes to stderr.' },
  'ScenarioAnswer.error': { description: 'The runtime itself fails, with this message.' },
  'ScenarioAction.at': { description: 'When, from the begin on.', ...duration },
  'ScenarioAction.do': { description: 'What.', enum: ['delete', 'update'] },
  'ScenarioAction.pod': { description: 'For update: the pod as it then is.' },
};
