/** The structs of a scenario file, which is decoded as strictly as an object of the API; tables.ts explains the form. */
export const SCENARIO_TABLES = `
Scenario: name string!, until string!, kubeletUp string, pod *Pod,
  containers map[string]ScenarioContainer, actions []ScenarioAction
ScenarioBehavior: readyAfter string, hangsAt []string, latency string, failRate string
ScenarioContainer: ScenarioBehavior, probes map[string]ScenarioBehavior, runs []ScenarioRun
ScenarioRun: ScenarioBehavior, startError string, exitAfter string, exitCode int32,
  stopTakes string, stopExitCode *int32, probes map[string]ScenarioBehavior,
  exec map[string][]ScenarioAnswer, http map[string][]ScenarioHttpAnswer,
  tcp map[string][]ScenarioTcpAnswer, grpc map[string][]ScenarioGrpcAnswer
ScenarioHttpAnswer: until string, takes string, status int32, body string, refused bool
ScenarioTcpAnswer: until string, takes string, refused bool
ScenarioGrpcAnswer: until string, takes string, status string, refused bool
ScenarioAnswer: until string, takes string, exit int32, stdout string, stderr string, error string
ScenarioAction: at string!, do string!, pod *Pod
`;
