import { urlString } from '../../src/go/url.js';
import type { ProbeOutcome, ProbeTransports } from '../../src/kubelet/ports.js';

/** Transports whose probes succeed, and whose hooks answer as they are told; `sent` is where hooks went. */
export function fakeTransports(hook: (url: string) => string | undefined = () => undefined) {
  const sent: { url: string; headers: readonly string[] }[] = [];
  const succeed = (): Promise<ProbeOutcome> => Promise.resolve({ result: 'success', output: '' });
  const transports: ProbeTransports = {
    http: succeed,
    tcp: succeed,
    grpc: succeed,
    httpHook: (_, { url, header }) => {
      sent.push({ url: urlString(url), headers: [...header.keys()] });
      return Promise.resolve(hook(urlString(url)));
    },
  };
  return { transports, sent };
}
