import type { Container, IntOrString } from '../../../api/index.js';
import type { Rule } from '../../rule.js';
import { networkPort, portNumber } from '../../subject/handlers.js';

export const serverOnLoopback: Rule = {
  id: 'server-on-loopback',
  severity: 'warning',
  summary: 'the server listens on localhost, but the probe connects to the pod',
  reason:
    "The kubelet connects to the pod's address. A server that listens only on 127.0.0.1 is not reachable there, so every attempt fails.",
  sources: [
    'https://github.com/kubernetes/kubernetes/issues/24306',
    'https://github.com/parca-dev/parca-agent/issues/1866',
  ],
  checkProbe: ({ probe, path, member }, { pod }) => {
    const asked = networkPort(probe);
    if (asked === undefined || pod.spec.hostNetwork === true) return [];
    const host = asked.field === 'grpc' ? undefined : probe[asked.field]?.host;
    const number = portNumber(asked.port, member.container);
    const flag = listener(member.container, number);
    if (flag === undefined || host !== undefined) return [];
    return {
      path: `${path}.${asked.field}.port`,
      message: `connects to the pod's address, but the container listens only on localhost: ${flag}`,
      hint: 'make it listen on all addresses, or use an exec probe',
    };
  },
};

/** The argument that has a container listen on localhost at a port. */
function listener({ command = [], args = [] }: Container, port: IntOrString): string | undefined {
  const words = [...command, ...args];
  return words.find((word, index) => {
    const whole =
      word.startsWith('-') && !word.includes('=') ? `${word}=${words[index + 1] ?? ''}` : word;
    const match =
      /^--?[\w.-]*(?:listen|bind|addr|host|web)[\w.-]*=(?:https?:\/\/)?(?:127\.0\.0\.1|localhost|\[::1\]):(\d+)\/?$/.exec(
        whole,
      );
    return match !== null && Number(match[1]) === port;
  });
}
