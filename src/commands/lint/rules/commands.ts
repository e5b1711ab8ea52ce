import { type NewValue, remove, set } from '../fix/change.js';
import { CONFIGURE_PROBES, kubernetesIssue, type Rule } from '../rule.js';
import {
  heavyProgram,
  programOf,
  reasonOfConstantSuccess,
  shellScript,
  simpleCommands,
} from '../subject/commands.js';
import { isOwnHost } from '../subject/handlers.js';

export const curlWithoutFail: Rule = {
  id: 'curl-without-fail',
  severity: 'warning',
  summary: 'curl succeeds whatever status the server returns',
  reason:
    'Without -f (--fail), curl exits 0 even on a 404 or a 500, so the probe fails only if the server cannot be reached at all.',
  sources: ['https://curl.se/docs/manpage.html#-f', kubernetesIssue(125339)],
  checkProbe: ({ probe, path }) => {
    const command = probe.exec?.command ?? [];
    const commands = simpleCommands(command);
    const curl = commands.find((words) => programOf(words) === 'curl');
    if (curl === undefined || curl.some((word) => /^-[a-zA-Z]*f|^--fail/.test(word))) return [];
    // The output is read, not only the exit code.
    const script = shellScript(command) ?? '';
    const isRead = /\|(?!\|)|\$\(|`|-w|--write-out|>\s*\/tmp/.test(script);
    if (isRead || curl.some((word) => /^(?:-w|--write-out|telnet:)/.test(word))) return [];
    return {
      path: `${path}.exec.command`,
      message: 'curl without -f exits 0 even on a 500',
      hint: 'add -f, or use httpGet',
    };
  },
};

export const execAlwaysSucceeds: Rule = {
  id: 'exec-always-succeeds',
  severity: 'warning',
  summary: "the probe's command cannot fail",
  reason: `A pipe's exit code is that of its last command, and "|| true" or a final "exit 0" always succeeds, so the probe checks nothing.`,
  sources: [kubernetesIssue(125339)],
  checkProbe: ({ probe, path, member }, { pod }) => {
    const reason = reasonOfConstantSuccess(probe, member.container, pod);
    if (reason === undefined) return [];
    return {
      path: `${path}.exec.command`,
      message: `${reason}, so it always succeeds`,
      hint: 'return the exit code of the check itself',
    };
  },
};

export const execInDistroless: Rule = {
  id: 'exec-in-distroless',
  severity: 'warning',
  summary: 'a probe runs a program that its image does not contain',
  reason: 'Distroless and scratch images have no shell and no tools, so no attempt can start.',
  sources: ['https://github.com/GoogleContainerTools/distroless'],
  checkProbe: ({ probe, path, member }) => {
    const { image } = member.container;
    const program = programOf(probe.exec?.command ?? []);
    const bare = /distroless/.test(image) && !/(?:[:-]debug|python|java|nodejs)/.test(image);
    if (
      !bare ||
      !/^(?:(?:ba|da|a)?sh|cat|curl|wget|nc|test|ls|pgrep|grep|stat|true)$/.test(program)
    )
      return [];
    return {
      path: `${path}.exec.command`,
      message: `there is no ${program} in ${image}`,
      hint: 'use httpGet, grpc or tcpSocket',
    };
  },
};

export const execInsteadOfHandler: Rule = {
  id: 'exec-instead-of-handler',
  severity: 'info',
  summary: 'a command does what the kubelet can do itself',
  reason:
    'httpGet, tcpSocket and grpc need no program in the image and no process per attempt; a curl in the image is also one more thing to keep patched.',
  sources: [
    CONFIGURE_PROBES,
    'https://kubernetes.io/blog/2022/05/13/grpc-probes-now-in-beta/',
    kubernetesIssue(82440),
  ],
  checkProbe: ({ probe, path }) => {
    const command = probe.exec?.command ?? [];
    const commands = simpleCommands(command);
    const [words] = commands;
    if (words === undefined || commands.length > 1) return [];
    const found = handlerFor(words);
    if (found === undefined) return [];
    return {
      path: `${path}.exec`,
      message: `${programOf(words)} in the container does what ${found.name} does without a process`,
      hint: `use ${found.name}; the server must listen on the pod's address, not only on localhost`,
      ...(found.value && {
        changes: [remove(`${path}.exec`), set(`${path}.${found.name}`, found.value)],
      }),
    };
  },
};

interface Handler {
  readonly name: 'httpGet' | 'tcpSocket' | 'grpc';
  readonly value?: NewValue;
}

function handlerFor(words: readonly string[]): Handler | undefined {
  switch (programOf(words)) {
    case 'curl':
    case 'wget':
      return forUrl(words);
    case 'grpc_health_probe':
    case 'grpc-health-probe':
      return forGrpc(words);
    case 'nc':
    case 'ncat':
      return forNetcat(words);
    default:
      return undefined;
  }
}

/** Translates only a plain request: one with headers, a body or a certificate gets no fix. */
function forUrl(words: readonly string[]): Handler | undefined {
  const plain =
    /^(?:-[fsSkLqoIO]+|-O-|--fail|--silent|--show-error|--spider|--quiet|-nv|\/dev\/null|-)$/;
  const rest = words.slice(1).filter((word) => !plain.test(word));
  const url = /^(?:(https?):\/\/)?([\w.-]+)(?::(\d+))?(\/\S*)?$/.exec(rest[0] ?? '');
  if (rest.length !== 1 || url === null) return undefined;
  const [, scheme = 'http', host = '', port, path = '/'] = url;
  if (!isOwnHost(host) && host !== '0.0.0.0') return undefined;
  const number = port === undefined ? (scheme === 'https' ? 443 : 80) : Number(port);
  const value = { path, port: number, ...(scheme === 'https' && { scheme: 'HTTPS' }) };
  return { name: 'httpGet', value };
}

function forGrpc(words: readonly string[]): Handler | undefined {
  const text = words.join(' ');
  if (/tls/.test(text)) return undefined;
  const port = /-addr[= ](?:localhost|127\.0\.0\.1)?:(\d+)/.exec(text)?.[1];
  const service = /-service[= ](\S+)/.exec(text)?.[1];
  if (port === undefined) return { name: 'grpc' };
  return { name: 'grpc', value: { port: Number(port), ...(service !== undefined && { service }) } };
}

function forNetcat(words: readonly string[]): Handler | undefined {
  const [host = '', port = '', ...more] = words
    .slice(1)
    .filter((word) => !/^-[zvwq\d]+$/.test(word));
  if (!words.some((word) => /^-\w*z/.test(word)) || more.length > 0) return undefined;
  return isOwnHost(host) && /^\d+$/.test(port)
    ? { name: 'tcpSocket', value: { port: Number(port) } }
    : undefined;
}

export const execNeedsShell: Rule = {
  id: 'exec-needs-shell',
  severity: 'error',
  safeFix: true,
  summary: 'a command needs a shell, but none runs it',
  reason:
    'The kubelet runs an exec probe without a shell; the first word is the program. ["cat /tmp/healthy"] looks for a program with that whole name, and "|" or "&&" are ordinary arguments. Every attempt fails, or checks something else.',
  sources: [`${CONFIGURE_PROBES}#define-a-liveness-command`],
  checkProbe: ({ probe, path }) => {
    const command = probe.exec?.command ?? [];
    const [only = ''] = command;
    if (command.length === 1 && /^[^\s'"]+\s/.test(only.trim())) {
      return {
        path: `${path}.exec.command`,
        message: `looks for a program named ${JSON.stringify(only.trim())}`,
        hint: 'make each word a separate item, or run it with ["sh", "-c", …]',
        changes: [set(`${path}.exec.command`, wordsFor(only))],
      };
    }
    const operator = command.find((word) => /^(?:\|\|?|&&|;|[12]?>{1,2}|<)$/.test(word));
    if (operator === undefined || simpleCommands(command).length > 1) return [];
    return {
      path: `${path}.exec.command`,
      message: `"${operator}" is an ordinary argument here, because there is no shell`,
      hint: 'run it with ["sh", "-c", …]',
      changes: [set(`${path}.exec.command`, ['sh', '-c', command.join(' ')])],
    };
  },
};

function wordsFor(text: string): readonly string[] {
  return /[|&;<>$`'"*?()]/.test(text) ? ['sh', '-c', text.trim()] : text.trim().split(/\s+/);
}

export const execVariableNotExpanded: Rule = {
  id: 'exec-variable-not-expanded',
  severity: 'warning',
  summary: '$(VAR) in a probe is not expanded',
  reason:
    "In a probe's command the kubelet expands only variables whose value is in the manifest. A variable with valueFrom becomes the empty string; one from envFrom, or an unknown one, stays as it is written: pg_isready -U $(USER) silently connects as the wrong user.",
  sources: [kubernetesIssue(40846), kubernetesIssue(128900)],
  checkProbe: ({ probe, path, member }) => {
    const { env = [] } = member.container;
    const written = (probe.exec?.command ?? [])
      .join(' ')
      .matchAll(/(?<!\$)\$\(([A-Za-z_.][\w.-]*)\)/g);
    return [...new Set([...written].map(([, name = '']) => name))].flatMap((name) => {
      const variable = env.findLast((each) => each.name === name);
      if (variable !== undefined && variable.valueFrom === undefined) return [];
      // In a script it may be a command of that name.
      if (variable === undefined && shellScript(probe.exec?.command ?? []) !== undefined) return [];
      const becomes =
        variable === undefined ? 'stays as it is written' : 'becomes the empty string';
      return {
        path: `${path}.exec.command`,
        message: `$(${name}) ${becomes}: the kubelet expands only variables whose value is in the manifest`,
        hint: `let a shell expand it: ["sh", "-c", "… $${name}"]`.replace('$$', '$'),
      };
    });
  },
};

export const heavyExecProbe: Rule = {
  id: 'heavy-exec-probe',
  severity: 'warning',
  summary: 'a probe starts a heavy program every few seconds',
  reason:
    "Starting an interpreter or a virtual machine costs tenths of a second of CPU time per attempt, within the container's own limit. Idle brokers have used whole cores for their probes.",
  sources: [
    'https://github.com/rabbitmq/rabbitmq-peer-discovery-k8s/issues/28',
    'https://github.com/GoogleCloudPlatform/click-to-deploy/issues/522',
    kubernetesIssue(82440),
    CONFIGURE_PROBES,
  ],
  checkProbe: ({ type, probe, path }) => {
    const program = heavyProgram(probe.exec?.command ?? []);
    // A startup probe ends with the start.
    if (program === undefined || type === 'startup' || probe.periodSeconds > FREQUENT_PERIOD)
      return [];
    return {
      path,
      message: `starts ${program} every ${probe.periodSeconds} s`,
      hint: 'probe over HTTP, gRPC or TCP, or less often',
      changes: [set(`${path}.periodSeconds`, 30)],
    };
  },
};

/** Seconds. */
const FREQUENT_PERIOD = 10;

export const secretInProbe: Rule = {
  id: 'secret-in-probe',
  severity: 'warning',
  summary: 'a probe contains a secret in plain text',
  reason:
    'Anyone who can read the pod can read the secret, and events show it when the command fails. A command can take it from the environment.',
  sources: ['https://kubernetes.io/docs/concepts/configuration/secret/'],
  checkProbe: ({ probe, path }) => {
    const headers = probe.exec ? [] : (probe.httpGet?.httpHeaders ?? []);
    const at = headers.findIndex(({ name, value }) => SECRET_HEADER.test(name) && value !== '');
    if (at !== -1) {
      const name = headers[at]?.name ?? '';
      return {
        path: `${path}.httpGet.httpHeaders[${at}]`,
        message: `the header ${name} has its value in the manifest`,
        hint: SECRET_HINT,
      };
    }
    const written = (probe.exec?.command ?? []).join(' ');
    if (!SECRET_ARGUMENT.test(written)) return [];
    const message = 'the command contains a password';
    return { path: `${path}.exec.command`, message, hint: SECRET_HINT };
  },
};

const SECRET_HINT =
  'give the container the secret as a variable or a file, and let the command read it there';
const SECRET_HEADER = /^(?:authorization|proxy-authorization|x-api-key|x-auth-token)$/i;
const SECRET_ARGUMENT =
  /(?:--password[= ]|--requirepass |\bPGPASSWORD=|\bredis-cli\b.*\s-a\s|\bmysql(?:admin)?\b.*\s-p(?=\S))(?!["']?[$`])["']?[^\s"'$]/;
