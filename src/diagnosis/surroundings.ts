import type { Container, EnvVar } from '../api/index.js';
import type { Advice, Provision } from './change.js';

/** Returns what to do against an error of a program that is right, in surroundings that are not; the program's error says so. */
export function surroundingAdvice(text: string, { env = [] }: Container): Advice | undefined {
  const known = SURROUNDINGS.find(({ pattern }) => pattern.test(text))?.advice;
  if (known?.do === 'correctHost') return known;
  const name = env.find((variable) => isBlamed(variable, text))?.name;
  return name === undefined ? known : { do: 'setVariable', name };
}

/** Reports whether an error quotes the value of a variable, or is about a port that the variable does not give. */
function isBlamed({ name, value = '' }: EnvVar, text: string): boolean {
  const isPort = /(?:^|_)PORT$/.test(name) && !/^\d+$/.test(value) && /\bport\b/i.test(text);
  return isPort || (value !== '' && QUOTES.some((quote) => text.includes(quote + value + quote)));
}

const QUOTES = ["'", '"', '`'];

const provide = (what: Provision, pattern: RegExp) =>
  ({ pattern, advice: { do: 'provide', what } }) as const;

const SURROUNDINGS: readonly { readonly pattern: RegExp; readonly advice: Advice }[] = [
  {
    pattern:
      /environment variable|\b[A-Z][A-Z\d]*_[A-Z\d_]+ is (?:not set|missing|required|undefined)|KeyError: '[A-Z][A-Z\d_]{2,}'|key not found: "[A-Z][A-Z\d_]{2,}"|Invalid URL: '(?:undefined)?'|unbound variable|parameter (?:not set|null or not set)/,
    advice: { do: 'setVariable' },
  },
  {
    pattern:
      /\bENOTFOUND\b|\bEAI_AGAIN\b|no such host|host not found|name or service not known|name does not resolve|temporary failure in name resolution|failed to resolve host|could not resolve|can't resolve|could not translate host name|UnknownHostException|getaddrinfo failed|getaddrinfo: /i,
    advice: { do: 'correctHost' },
  },
  provide('space', /\bENOSPC\b|no space left on device|disk quota exceeded/i),
  provide('writableFolder', /\bEROFS\b|read-only file ?system/i),
  provide('files', /\bEMFILE\b|too many open files/i),
  provide('lineEnds', /\\r['’]|\^M/),
  provide('lowPort', /(?:\bbind|\blisten).*(?:permission denied|\bEACCES\b)|\bEACCES\b.*:\d+$/i),
  // A database or a service that denies access names no file.
  provide(
    'access',
    /\bEACCES\b|\bEPERM\b|\[Errno 13\]|operation not permitted|(?:^|[\s'"(:]|cannot )\.?(?:\/[\w.-]|\w+ ['"]).*permission denied|permission denied:? ['"]?\.?\/[\w.-]/i,
  ),
  provide('user', /(?:"root"|\broot\b|unprivileged user).*(?:not (?:permitted|allowed)|prevent)/i),
  provide(
    'module',
    /cannot find (?:module|package) '[^.]|no module named|cannot load such file|ClassNotFoundException|could not find driver|cannot open shared object/i,
  ),
  provide(
    'credentials',
    /(?:password )?authentication failed|access denied for user|\bWRONGPASS\b|\bNOAUTH\b/i,
  ),
  provide(
    'trust',
    /\bx509: |CERTIFICATE_VERIFY_FAILED|certificate has expired|self.signed certificate|PKIX path/i,
  ),
  provide(
    'peer',
    /\bECONNREFUSED\b|connection refused|\bETIMEDOUT\b|i\/o timeout|connection timed out|\bEHOSTUNREACH\b|no route to host/i,
  ),
  provide('leftover', /already running.*\bpid\b|\bpid ?file\b.*exists|lock file .*already exists/i),
  provide('plainPort', /\bPROXY protocol\b/i),
  provide(
    'noServiceLink',
    /(?:pars|int\(|\bport\b|number|integer|NaN).*\btcp:\/\/[\d.]+:\d+|\btcp:\/\/[\d.]+:\d+.*(?:port\b|number|integer)/i,
  ),
  provide(
    'file',
    /\bENOENT\b|no such file or directory|nonexistent directory|FileNotFound|NoSuchFile/i,
  ),
];
