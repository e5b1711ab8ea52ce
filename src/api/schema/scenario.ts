/** A scenario file: kprobe's own format, decoded as strictly as the API's, which it holds a pod of. */
export const SCENARIO = {
  Scenario: {
    name: 'string!',
    until: 'string!',
    kubeletUp: 'string',
    pod: '*Pod',
    containers: 'map[string]ScenarioContainer',
    actions: '[]ScenarioAction',
  },
  ScenarioContainer: {
    runs: '[]ScenarioRun',
  },
  ScenarioRun: {
    startError: 'string',
    exitAfter: 'string',
    exitCode: 'int32',
    stopTakes: 'string',
    stopExitCode: '*int32',
    exec: 'map[string][]ScenarioAnswer',
  },
  ScenarioAnswer: {
    until: 'string',
    takes: 'string',
    exit: 'int32',
    stdout: 'string',
    stderr: 'string',
    error: 'string',
  },
  ScenarioAction: {
    at: 'string!',
    do: 'string!',
    pod: '*Pod',
  },
} as const;
