import { set } from '../../fix/change.js';
import { PROBE_CONCEPTS, type Rule } from '../../rule.js';

export const livenessAggregateHealth: Rule = {
  id: 'liveness-aggregate-health',
  severity: 'warning',
  summary: 'the liveness probe uses an endpoint that includes dependencies',
  reason:
    "Spring Boot's /actuator/health reports down when any health indicator does, including those of databases and brokers. /actuator/health/liveness is the endpoint for liveness probes.",
  sources: ['https://docs.spring.io/spring-boot/reference/actuator/endpoints.html', PROBE_CONCEPTS],
  checkProbe: ({ type, probe, path }) => {
    const asked = probe.httpGet?.path ?? '';
    if (type !== 'liveness' || !/\/actuator\/health\/?$/.test(asked)) return [];
    const liveness = `${asked.replace(/\/$/, '')}/liveness`;
    return {
      path: `${path}.httpGet.path`,
      message: `${asked} is down when any health indicator is, such as the database's, and that restarts the container`,
      hint: `${liveness} does not include dependencies`,
      changes: [set(`${path}.httpGet.path`, liveness)],
    };
  },
};
