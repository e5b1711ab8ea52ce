import {
  answers,
  execs,
  js,
  JS_OK,
  node,
  OK,
  type ProgramCase,
  READY,
  readyAt,
} from './program-case.js';

const logs = (line: string): string => `console.error(${JSON.stringify(line)});\n`;
const serves = (path: string): string =>
  node(`if (q.url === '${path}') return s.end('ok'); s.statusCode = 404; s.end('not found')`);
const ends = (...lines: readonly string[]): string =>
  `${lines.map(logs).join('')}process.exit(1);\n`;
/** Work that comes after a while delays the answers. */
const BURSTS = `const begin = Date.now();
${node(`setTimeout(() => s.end('ok'), Date.now() - begin > 3000 ? 1600 : 4)`)}`;
const BUSY = `let count = 0;
${node(`if (count++ < 5) return s.end('pong');
  if (count === 6) console.error('[05-Jun-2021 21:09:33] WARNING: [pool www] server reached pm.max_children setting (5), consider raising it')`)}`;
const REVIVES = `const log = (message) => console.log(JSON.stringify({ level: 'warning', message }));
setInterval(() => { log('Unable to revive connection: http://elasticsearch:9200/'); log('No living connections'); }, 300);
`;
const CLUSTER_ID = "The Cluster ID aB doesn't match stored clusterId Some(xY) in meta.properties.";

/** Faults of public threads that neutral searches gave, in their order. */
export const NEUTRAL: readonly ProgramCase[] = [
  {
    name: 'health-at-a-common-path',
    needs: ['node'],
    files: { 'app.js': serves('/up') },
    command: js,
    probes: readyAt('/live'),
    fault: { kind: 'notFound', path: '/live' },
    field: 'readinessProbe.httpGet.path',
    cure: 'proven',
  },
  {
    name: 'spring-below-its-context-path',
    needs: ['node'],
    files: {
      'app.js':
        logs("Tomcat started on port 8080 with context path '/api'") +
        serves('/api/actuator/health'),
    },
    command: js,
    probes: readyAt('/actuator/health/readiness'),
    fault: { kind: 'notFound', under: '/api' },
    field: 'readinessProbe.httpGet.path',
    cure: 'proven',
  },
  {
    name: 'health-that-is-not-enabled',
    needs: ['node'],
    files: { 'app.js': logs('Keycloak 19.0.1 on JVM started in 3.2s.') + serves('/') },
    command: js,
    probes: readyAt('/health/ready'),
    fault: { kind: 'notFound' },
    field: 'KC_HEALTH_ENABLED',
    cure: { files: { 'app.js': serves('/health/ready') } },
  },
  {
    name: 'slow-after-a-while',
    needs: ['node'],
    files: { 'app.js': BURSTS },
    command: js,
    probes: READY,
    fault: { kind: 'slowAnswer' },
    field: 'readinessProbe.timeoutSeconds',
    cure: 'proven',
  },
  {
    name: 'all-workers-in-use',
    needs: ['node'],
    files: { 'app.js': BUSY },
    command: js,
    probes: READY,
    fault: { kind: 'stalled' },
    field: '"workers"',
    cure: JS_OK,
  },
  {
    name: 'log-about-what-the-answer-names',
    needs: ['node'],
    files: {
      'app.js':
        logs('WARNING: BASE_URL is not set, agent is not initialized') +
        answers(503, '{"status":"unhealthy","agent_initialized":false}'),
    },
    command: js,
    probes: READY,
    fault: { kind: 'errorAnswer' },
    field: 'BASE_URL',
    cure: JS_OK,
  },
  {
    name: 'log-repeats-what-it-waits-for',
    needs: ['node'],
    files: { 'app.js': REVIVES + answers(503, 'Kibana server is not ready yet') },
    command: js,
    probes: READY,
    fault: { kind: 'errorAnswer' },
    field: '"peer"',
    cure: JS_OK,
  },
  {
    name: 'error-of-a-shutdown',
    needs: ['node'],
    files: {
      'app.js': ends(
        '[2024-04-12 10:12:06,700] ERROR Fatal error during KafkaServer startup. Prepare to shutdown (kafka.server.KafkaServer)',
        `kafka.common.InconsistentClusterIdException: ${CLUSTER_ID}`,
        '\tat kafka.server.KafkaServer.startup(KafkaServer.scala:242)',
        '[2024-04-12 10:12:06,871] ERROR Fatal error during KafkaServer shutdown. (kafka.server.KafkaServer)',
        'java.lang.IllegalStateException: Kafka server is still starting up, cannot shut down!',
        '\tat kafka.server.KafkaServer.shutdown(KafkaServer.scala:708)',
      ),
    },
    command: js,
    probes: READY,
    fault: { kind: 'crashed' },
    field: '"member"',
    cure: JS_OK,
  },
  {
    name: 'start-with-a-limit-of-its-own',
    needs: ['node'],
    files: {
      'app.js': ends(
        's6-rc: fatal: timed out',
        'rc.init: warning: s6-rc failed to properly bring all the services up! Check your logs',
        'prog: fatal: stopping the container.',
      ),
    },
    command: js,
    probes: READY,
    fault: { kind: 'crashed', text: 's6-rc: fatal: timed out' },
    field: '"startLimit"',
    cure: JS_OK,
  },
  {
    name: 'no-graphics-card',
    needs: ['python3'],
    files: {
      'app.py':
        'def device():\n    raise RuntimeError("Failed to infer device type")\n\ndevice()\n',
    },
    command: ['python3', 'app.py'],
    probes: readyAt('/'),
    fault: { kind: 'crashed' },
    field: '"device"',
    cure: { command: ['python3', '-m', 'http.server', 'PORT'] },
  },
  {
    name: 'exec-measures-the-disk',
    needs: ['node', 'sh'],
    files: { 'app.js': OK },
    command: js,
    probes: execs('sh', '-c', 'echo "disk usage of /data is 97%, limit is 90%"; exit 1'),
    fault: { kind: 'commandFailed' },
    field: '"disk"',
    cure: { probes: execs('true') },
  },
];
