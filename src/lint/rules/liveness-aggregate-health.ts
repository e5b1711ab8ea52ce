import { set } from '../fix/change.js';
import type { Rule } from '../rule.js';
import { probesOf } from '../subject/members.js';

export const livenessAggregateHealth: Rule = {
  id: 'liveness-aggregate-health',
  severity: 'warning',
  summary: 'the liveness probe asks an endpoint that sums up dependencies',
  reason:
    "Spring Boot's /actuator/health is down when any of its indicators is, a database or a broker too. /actuator/health/liveness is the endpoint for a liveness probe.",
  sources: [
    'https://docs.spring.io/spring-boot/reference/actuator/endpoints.html',
    'https://kubernetes.io/docs/concepts/workloads/pods/probes/',
  ],
  check: ({ members }) =>
    probesOf(members).flatMap(({ type, probe, path }) => {
      const asked = probe.httpGet?.path ?? '';
      if (type !== 'liveness' || !/\/actuator\/health\/?$/.test(asked)) return [];
      const liveness = `${asked.replace(/\/$/, '')}/liveness`;
      return {
        path: `${path}.httpGet.path`,
        message: `${asked} is down when any health indicator is, such as the database's: then the container is restarted`,
        hint: `${liveness} leaves dependencies out`,
        changes: [set(`${path}.httpGet.path`, liveness)],
      };
    }),
};
