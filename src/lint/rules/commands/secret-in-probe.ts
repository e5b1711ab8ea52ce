import type { Rule } from '../../rule.js';

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
        hint: HINT,
      };
    }
    const written = (probe.exec?.command ?? []).join(' ');
    return SECRET_ARGUMENT.test(written)
      ? [
          {
            path: `${path}.exec.command`,
            message: 'the command contains a password',
            hint: HINT,
          },
        ]
      : [];
  },
};

const HINT =
  'give the container the secret as a variable or a file, and let the command read it there';
const SECRET_HEADER = /^(?:authorization|proxy-authorization|x-api-key|x-auth-token)$/i;
const SECRET_ARGUMENT =
  /(?:--password[= ]|--requirepass |\bPGPASSWORD=|\bredis-cli\b.*\s-a\s|\bmysql(?:admin)?\b.*\s-p(?=\S))(?!["']?[$`])["']?[^\s"'$]/;
