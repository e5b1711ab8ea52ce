import { type Container, containersWithPath, imageTag, type Probe } from '../../../api/index.js';
import { probeTimes } from '../../../schedule/probe-times.js';
import { set } from '../fix/change.js';
import { CONFIGURE_PROBES, POD_LIFECYCLE, PROBE_CONCEPTS, type Rule } from '../rule.js';
import { onlyFindsProcess, programOf, simpleCommands } from '../subject/commands.js';
import { handlerKey, networkPort, otherHost, portsOf } from '../subject/handlers.js';
import { isBatch, isJob, probesOf, type Subject } from '../subject/subject.js';

/** Official images of Docker Hub that are often written without a tag. */
const OFFICIAL =
  /^(?:alpine|busybox|caddy|debian|elasticsearch|golang|haproxy|httpd|mariadb|memcached|mongo|mysql|nats|nginx|node|openjdk|perl|php|postgres|python|rabbitmq|redis|registry|ruby|tomcat|traefik|ubuntu|wordpress)$/;

/**
 * Reports whether a build or an admission webhook replaces a name: a bare one that no public image has (Skaffold, Istio's
 * `auto`), or what kubebuilder writes. Also true for a name that has the version in it, such as `cu124.2-3.ubuntu2204`.
 */
function isPlaceholder(image: string): boolean {
  if (image === 'controller:latest' || /\d\.\d+-\d+\.[^/:@]*$/.test(image)) return true;
  return !/[/:@]/.test(image) && !OFFICIAL.test(image);
}

export const latestImage: Rule = {
  id: 'latest-image',
  severity: 'warning',
  summary: 'a restart may run another image',
  reason:
    'The tag latest may mean another image tomorrow, and the kubelet pulls it at every container start. A failed liveness probe can then change the version that runs, and a rollback does not bring the previous one back.',
  sources: ['https://kubernetes.io/docs/concepts/containers/images/#imagepullpolicy-defaulting'],
  check: (subject) =>
    (servesLong(subject) ? containersWithPath(subject.pod.spec, 'spec') : []).flatMap(
      ({ container, at }) => {
        const { image, imagePullPolicy } = container;
        if (imageTag(image) !== 'latest' || imagePullPolicy !== 'Always') return [];
        if (isPlaceholder(image)) return [];
        return {
          path: `${at}.image`,
          message: `${image} is pulled at every start: a restart may bring another version`,
          hint: 'name a version, or a digest',
        };
      },
    ),
};

/** Returns false for pods that run once, and for those without ports and probes: tools, load generators, shells for people. */
function servesLong(subject: Subject): boolean {
  const serves = subject.members.some(
    (member) => (member.container.ports ?? []).length > 0 || probesOf([member]).length > 0,
  );
  return serves && !isBatch(subject) && subject.pod.spec.restartPolicy !== 'Never';
}

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

export const livenessEqualsReadiness: Rule = {
  id: 'liveness-equals-readiness',
  severity: 'warning',
  summary: 'the liveness probe is the same as the readiness probe',
  reason:
    'What should only stop traffic then restarts the container: overload or a missing dependency becomes a crash loop. If both use the same endpoint, the Kubernetes documentation recommends a higher failureThreshold for liveness.',
  sources: [
    CONFIGURE_PROBES,
    'https://srcco.de/posts/kubernetes-liveness-probes-are-dangerous.html',
    'https://github.com/zegl/kube-score/issues/296',
  ],
  checkContainer: ({ container, path }) => {
    const { livenessProbe, readinessProbe } = container;
    if (livenessProbe === undefined || readinessProbe === undefined) return [];
    if (handlerKey(livenessProbe, container) !== handlerKey(readinessProbe, container)) return [];
    const [kills, removes] = [probeTimes(livenessProbe), probeTimes(readinessProbe)];
    if (kills.failsFast.to > removes.failsFast.to || kills.failsFast.to >= LONG_OVERLOAD) return [];
    return {
      path: `${path}.livenessProbe`,
      message: `checks the same as the readiness probe and fails just as soon (after ${kills.failsFast.to} s): whatever makes the pod not ready also restarts it`,
      hint: 'check something that only a restart can fix, or allow many more failures',
      changes: [
        set(
          `${path}.livenessProbe.failureThreshold`,
          Math.ceil((3 * removes.failsFast.to) / livenessProbe.periodSeconds),
        ),
      ],
    };
  },
};

/** Seconds of failures that are not a passing overload. */
const LONG_OVERLOAD = 120;

export const livenessOnLeader: Rule = {
  id: 'liveness-on-leader',
  severity: 'warning',
  summary: 'the liveness probe succeeds only for the leader',
  reason:
    'Replicas that wait to be elected answer such an endpoint with an error or not at all, so the kubelet restarts all but the leader, again and again, and nobody is left to take over.',
  sources: [
    'https://patroni.readthedocs.io/en/latest/rest_api.html',
    'https://developer.hashicorp.com/vault/api-docs/system/health',
  ],
  checkProbe: ({ type, probe, path, member: { container } }) => {
    if (type === 'readiness') return [];
    const found = leaderEndpoint(probe) ?? leaderPort(probe, container);
    if (found === undefined) return [];
    return {
      path,
      message: `${found} answers only on the leader: every other replica is restarted`,
      hint: 'ask an endpoint that every replica answers; whether it leads is a question of readiness',
    };
  },
};

/** The endpoints of Patroni and its like, and Vault's, which answers standbys with 429. */
const LEADER = /^\/(?:leader|primary|master|read-write|standby-leader|is-?leader)\/?$/i;
const VAULT = /^\/v1\/sys\/health(?!.*(?:standbyok=true|standbycode=2\d\d))/;

function leaderEndpoint({ exec, httpGet }: Probe): string | undefined {
  const urls = simpleCommands(exec?.command ?? []).flatMap((words) =>
    /^(?:curl|wget)$/.test(programOf(words)) ? words.map(pathOfUrl) : [],
  );
  const paths = exec === undefined ? [httpGet?.path ?? ''] : urls;
  return paths.find((path) => LEADER.test(path) || VAULT.test(path));
}

function pathOfUrl(word: string): string {
  return /^https?:\/\/[^/]+(\/.*)$/.exec(word)?.[1] ?? '';
}

function leaderPort(probe: Probe, container: Container): string | undefined {
  const port = networkPort(probe)?.port;
  const names =
    port === undefined ? [] : portsOf(port, container).flatMap(({ name }) => name ?? []);
  const name = names.find((each) => /^(?:leader|leading)(?:-|$)|-leader$/.test(each));
  return name && `the port named "${name}"`;
}

export const livenessFasterThanReadiness: Rule = {
  id: 'liveness-faster-than-readiness',
  severity: 'info',
  summary: 'the container is restarted before it is taken out of traffic',
  reason:
    'A container that fails both probes should first lose its traffic and only then, if that does not help, be restarted: a restart under load loses requests in flight.',
  sources: [CONFIGURE_PROBES],
  checkContainer: ({ container, path }) => {
    const { livenessProbe, readinessProbe } = container;
    if (livenessProbe === undefined || readinessProbe === undefined) return [];
    if (handlerKey(livenessProbe, container) === handlerKey(readinessProbe, container)) return [];
    if (onlyFindsProcess(livenessProbe)) return [];
    const kills = probeTimes(livenessProbe).failsFast.to;
    const removes = probeTimes(readinessProbe).failsFast.to;
    if (kills >= removes) return [];
    return {
      path: `${path}.livenessProbe`,
      message: `fails after at most ${kills} s, the readiness probe after up to ${removes} s: the container is restarted while it still receives traffic`,
      hint: 'give the liveness probe a higher failureThreshold than the readiness probe',
    };
  },
};

export const livenessOnDependency: Rule = {
  id: 'liveness-on-dependency',
  severity: 'warning',
  summary: 'the liveness probe checks another machine',
  reason:
    'When that machine is down, every container that checks it is restarted again and again, and restarts fix nothing. If any probe should check it, it is the readiness probe.',
  sources: [
    PROBE_CONCEPTS,
    'https://srcco.de/posts/kubernetes-liveness-probes-are-dangerous.html',
    'https://www.vdnt.click/blog/k8s-liveness-probes',
  ],
  checkProbe: ({ type, probe, path }) => {
    const host = type === 'liveness' ? otherHost(probe) : undefined;
    if (host === undefined) return [];
    return {
      path,
      message: `checks ${host}: when that is down, this container is restarted, which does not help`,
      hint: 'check the container itself, and dependencies in the readiness probe if at all',
    };
  },
};

export const livenessUsesReadinessPath: Rule = {
  id: 'liveness-uses-readiness-path',
  severity: 'warning',
  summary: 'the liveness probe uses a readiness endpoint',
  reason:
    'A readiness endpoint fails on purpose: during startup, while draining, when a dependency is down. None of these is a reason to restart.',
  sources: [PROBE_CONCEPTS, 'https://github.com/tektoncd/triggers/pull/1107'],
  checkProbe: ({ type, probe, path, member }) => {
    const asked = probe.httpGet?.path ?? '';
    if (type !== 'liveness' || !/(?:^|[/_-])ready?z?(?:iness)?(?:$|[/?_-])/i.test(asked)) return [];
    // Another rule reports probes with the same endpoint.
    if (member.container.readinessProbe?.httpGet?.path === asked) return [];
    return {
      path: `${path}.httpGet.path`,
      message: `${asked} tells whether the container can take traffic, not whether it needs a restart`,
      hint: 'use the liveness endpoint, often /livez or /healthz',
    };
  },
};

export const livenessWithoutRestart: Rule = {
  id: 'liveness-without-restart',
  severity: 'warning',
  summary: 'a liveness probe kills a container that is not restarted',
  reason:
    'With restartPolicy: Never, the kubelet kills the container when the probe reaches its failureThreshold, and the pod ends.',
  sources: [`${POD_LIFECYCLE}#restart-policy`],
  checkProbe: ({ type, path, member }, subject) => {
    if (type !== 'liveness' || member.isSidecar || isBatch(subject)) return [];
    if (subject.pod.spec.restartPolicy !== 'Never') return [];
    return {
      path,
      message: 'with restartPolicy: Never, a failure ends the pod for good',
      hint: 'remove the probe, or change the restartPolicy',
    };
  },
};

export const probeOnJob: Rule = {
  id: 'probe-on-job',
  severity: 'warning',
  summary: 'a Job has a readiness or liveness probe',
  reason:
    'No Service sends traffic to a Job, and a failed liveness probe kills the work in progress. Use activeDeadlineSeconds to stop a Job that hangs.',
  sources: [
    'https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-termination-and-cleanup',
    POD_LIFECYCLE,
  ],
  checkProbe: ({ type, path, member }, subject) => {
    if (!isJob(subject) || member.isSidecar || type === 'startup') return [];
    if (type === 'liveness') {
      const hint = 'use activeDeadlineSeconds to stop a Job that hangs';
      return { path, message: 'kills the work in progress when it fails', hint };
    }
    if (subject.services.length > 0) return [];
    return { path, message: 'controls traffic, but a Job gets none', hint: 'remove it' };
  },
};

export const readinessOnDependency: Rule = {
  id: 'readiness-on-dependency',
  severity: 'info',
  summary: 'every replica becomes not ready when one dependency fails',
  reason:
    'All replicas check the same dependency, so all leave the Service at once when it fails, and requests that do not need it fail too. It is better to return an error only for requests that need it.',
  sources: [
    PROBE_CONCEPTS,
    'https://www.trk7.com/blog/kubernetes-probes-are-not-your-dependency-strategy',
  ],
  checkProbe: ({ type, probe, path }, { loaded }) => {
    const { replicas = 1 } = loaded.source;
    const host = type === 'readiness' && replicas >= 2 ? otherHost(probe) : undefined;
    if (host === undefined) return [];
    return {
      path,
      message: `checks ${host}, as all ${replicas} replicas do: they become not ready together, and the Service has no endpoints left`,
      hint: 'check the container itself',
    };
  },
};
