import type { Change } from '../../../../src/diagnosis/change.js';
import type { Fault } from '../../../../src/diagnosis/fault.js';

/** What has to be on the machine: a command, or a module of Python. */
export type Needs =
  | 'curl'
  | 'node'
  | 'python3'
  | 'flask'
  | 'django'
  | 'gunicorn'
  | 'uvicorn'
  | 'go'
  | 'java'
  | 'rustc'
  | 'ruby'
  | 'php'
  | 'nginx'
  | 'openssl'
  | 'gcc'
  | 'perl'
  | 'sh'
  | 'dash';

/**
 * A program with a fault, and what cures it. `PORT` and `OTHER` in files, commands and probes are two free ports; a
 * `python3` runs the interpreter that has the modules.
 */
export interface ProgramCase {
  readonly name: string;
  readonly needs: readonly Needs[];
  readonly files?: Readonly<Record<string, string>>;
  /** Run by a shell before kprobe, such as a compiler. */
  readonly build?: string;
  /** Runs beside the program. */
  readonly beside?: readonly string[];
  readonly command: readonly string[];
  /** The container's fields, in YAML's flow style. */
  readonly probes: string;
  readonly fault: Partial<Fault> & Readonly<Record<string, unknown>>;
  /** The field that the first change names. */
  readonly field?: string;
  readonly cure: Cure;
}

/** What is changed before the second run, which becomes ready: by hand, or by the change that kprobe has proven. */
export type Cure =
  | 'proven'
  | {
      readonly files?: Readonly<Record<string, string>>;
      readonly command?: readonly string[];
      readonly probes?: string;
      readonly build?: string;
      /** The program beside it no longer runs. */
      readonly alone?: boolean;
    };

export type Proven = Extract<Change, { kind: 'field' }>;

const http = (more: string, path = '/healthz'): string =>
  `{httpGet: {path: ${path}, port: PORT}, periodSeconds: 1${more === '' ? '' : `, ${more}`}}`;

export const READY = `readinessProbe: ${http('')}`;
export const readyAt = (path: string, more = ''): string => `readinessProbe: ${http(more, path)}`;
export const tcp = 'readinessProbe: {tcpSocket: {port: PORT}, periodSeconds: 1}';
export const execs = (...command: readonly string[]): string =>
  `readinessProbe: {exec: {command: ${JSON.stringify(command)}}, periodSeconds: 1}`;

/** A server of Node, whose handler gets `q` and `s`. */
export const node = (handler: string, listen = 'listen(PORT)'): string =>
  `require('node:http').createServer((q, s) => { ${handler} }).${listen};\n`;
export const js = ['node', 'app.js'] as const;
export const OK = node(`s.end('ok')`);
/** A server that answers everything with a status and a body. */
export const answers = (status: number, body: string): string =>
  node(`s.statusCode = ${status}; s.end(${JSON.stringify(body)})`);
export const JS_OK = { files: { 'app.js': OK } };

/** nginx in the foreground, with what its server has. */
export const nginxConf = (server: string): string => `error_log stderr;
daemon off;
pid nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path .; proxy_temp_path .; fastcgi_temp_path .; uwsgi_temp_path .; scgi_temp_path .;
  server { ${server} }
}
`;
export const nginx = ['nginx', '-p', '.', '-c', 'nginx.conf'] as const;
