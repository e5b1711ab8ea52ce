import { type NewValue, remove, set } from '../../fix/change.js';
import { CONFIGURE_PROBES, type Rule } from '../../rule.js';
import { programOf, simpleCommands } from '../../subject/commands.js';
import { isLoopback } from '../../subject/handlers.js';

export const execInsteadOfHandler: Rule = {
  id: 'exec-instead-of-handler',
  severity: 'info',
  summary: 'a command does what the kubelet can do itself',
  reason:
    'httpGet, tcpSocket and grpc need no program in the image and no process per attempt; a curl in the image is also one more thing to keep patched.',
  sources: [
    CONFIGURE_PROBES,
    'https://kubernetes.io/blog/2022/05/13/grpc-probes-now-in-beta/',
    'https://github.com/kubernetes/kubernetes/issues/82440',
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

/** Only a plain request: what has headers, a body or a certificate is left alone. */
function forUrl(words: readonly string[]): Handler | undefined {
  const plain =
    /^(?:-[fsSkLqoIO]+|-O-|--fail|--silent|--show-error|--spider|--quiet|-nv|\/dev\/null|-)$/;
  const rest = words.slice(1).filter((word) => !plain.test(word));
  const url = /^(?:(https?):\/\/)?([\w.-]+)(?::(\d+))?(\/\S*)?$/.exec(rest[0] ?? '');
  if (rest.length !== 1 || url === null) return undefined;
  const [, scheme = 'http', host = '', port, path = '/'] = url;
  if (!isLoopback(host) && host !== '0.0.0.0') return undefined;
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
  return isLoopback(host) && /^\d+$/.test(port)
    ? { name: 'tcpSocket', value: { port: Number(port) } }
    : undefined;
}
