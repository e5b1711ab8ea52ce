import { X509Certificate } from 'node:crypto';

import { isObject, tryParseJson } from '../../api/index.js';
import type { Clock } from '../../clock/clock.js';
import { parseCertificateTime, rfc3339 } from '../../clock/rfc3339.js';
import { ClusterError } from '../cluster-error.js';
import type { ExecCredential } from './credential-plugin.js';
import {
  type ClusterConfig,
  type ExecEntry,
  fileOrData,
  readText,
  type UserEntry,
} from './kubeconfig.js';

/** Milliseconds: some plugins wait for a person at a browser. */
const PLUGIN_TIMEOUT = 120_000;
/** Milliseconds after which a token file is read again, as in client-go. */
const TOKEN_FILE_PERIOD = 60_000;

export interface ClientCertificate {
  readonly cert: string;
  readonly key: string;
}

/** The credentials of a kubeconfig's user, renewed when they expire. */
export class Credentials {
  #plugin: Promise<ExecCredential> | undefined;
  #expires = Infinity;
  /** The plugin that is running. */
  pending: string | undefined;
  #fileToken: { readonly token: string; readonly time: number } | undefined;
  /** Values to hide in messages. */
  readonly secrets = new Set<string>();

  /** `timeout` in milliseconds, 0 for the longest that a plugin gets. */
  constructor(
    private readonly config: ClusterConfig,
    private readonly clock: Clock,
    private readonly env: NodeJS.ProcessEnv,
    private readonly timeout: number,
  ) {
    const { user, userName } = config;
    const provider = user['auth-provider']?.name;
    if (provider !== undefined) {
      const hint = 'kubectl dropped auth providers: use a credential plugin (exec)';
      const text = `user "${userName}": auth-provider "${provider}": ${hint}`;
      throw new ClusterError('invalid', text);
    }
    this.#hide(user.token, user.password, user['client-key-data']);
    for (const { value } of user.exec?.env ?? []) this.#hide(value);
  }

  async headers(): Promise<Record<string, string | string[]>> {
    return { ...(await this.#authorization()), ...impersonation(this.config.user) };
  }

  async certificate(): Promise<ClientCertificate | undefined> {
    const { user } = this.config;
    const { clientCertificateData: cert, clientKeyData: key } = await this.#fromPlugin();
    if (cert !== undefined && key !== undefined) return { cert, key };
    const userCert = fileOrData(user['client-certificate'], user['client-certificate-data']);
    const userKey = fileOrData(user['client-key'], user['client-key-data']);
    this.#hide(userKey);
    if (userCert === undefined || userKey === undefined) return undefined;
    return { cert: userCert, key: userKey };
  }

  /** Forgets credentials; returns true if reading them again may give others. */
  refresh(): boolean {
    this.#plugin = undefined;
    this.#fileToken = undefined;
    const { user } = this.config;
    return [user.exec, user.tokenFile, user['client-certificate']].some(Boolean);
  }

  /** Names a credential that has expired according to its own end. */
  async expired(): Promise<string | undefined> {
    const { authorization = '' } = await this.#authorization();
    const certificate = await this.certificate();
    const ends = [
      ['token', tokenEnd(authorization)],
      ['client certificate', certificate && certificateEnd(certificate)],
    ] as const;
    for (const [name, end = Infinity] of ends) {
      if (end <= this.clock.now()) return `the ${name} expired at ${rfc3339(end)}`;
    }
    return undefined;
  }

  async #authorization(): Promise<Record<string, string>> {
    const { user } = this.config;
    const token = this.#tokenOfFile() ?? user.token;
    if (token !== undefined && token !== '') return { authorization: `Bearer ${token}` };
    if (Boolean(user.username) || Boolean(user.password)) {
      const pair = Buffer.from(`${user.username ?? ''}:${user.password ?? ''}`).toString('base64');
      this.#hide(pair);
      return { authorization: `Basic ${pair}` };
    }
    const made = await this.#fromPlugin();
    return made.token === undefined ? {} : { authorization: `Bearer ${made.token}` };
  }

  #tokenOfFile(): string | undefined {
    const { tokenFile } = this.config.user;
    if (tokenFile === undefined || tokenFile === '') return undefined;
    const now = this.clock.now();
    if (this.#fileToken === undefined || now - this.#fileToken.time >= TOKEN_FILE_PERIOD) {
      this.#fileToken = { token: readText(tokenFile).trim(), time: now };
      this.#hide(this.#fileToken.token);
    }
    return this.#fileToken.token;
  }

  async #fromPlugin(): Promise<ExecCredential> {
    const { exec, token, tokenFile, username } = this.config.user;
    const others = [token, tokenFile, username].some(Boolean);
    if (exec === undefined || others) return {};
    if (this.#plugin !== undefined && this.#expires <= this.clock.now()) this.#plugin = undefined;
    this.#plugin ??= this.#runPlugin(exec);
    return this.#plugin;
  }

  async #runPlugin(exec: ExecEntry): Promise<ExecCredential> {
    this.#expires = Infinity;
    this.pending = `credential plugin ${exec.command ?? ''}`;
    try {
      const { runCredentialPlugin } = await import('./credential-plugin.js');
      const timeout = this.timeout || PLUGIN_TIMEOUT;
      const options = { clock: this.clock, secrets: [...this.secrets], timeout };
      const made = await runCredentialPlugin(exec, this.config, this.env, options);
      this.#hide(made.token, made.clientKeyData);
      this.#expires = made.expires ?? Infinity;
      return made;
    } catch (error) {
      this.#plugin = undefined;
      throw error;
    } finally {
      this.pending = undefined;
    }
  }

  #hide(...values: readonly (string | undefined)[]): void {
    for (const value of values) {
      if (value !== undefined && value.length > 3) this.secrets.add(value);
    }
  }
}

function impersonation(user: UserEntry): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {};
  if (user.as !== undefined && user.as !== '') headers['impersonate-user'] = user.as;
  if (user['as-uid'] !== undefined) headers['impersonate-uid'] = user['as-uid'];
  if (user['as-groups'] !== undefined) headers['impersonate-group'] = [...user['as-groups']];
  for (const [key, values] of Object.entries(user['as-user-extra'] ?? {})) {
    headers[`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`] = [...values];
  }
  return headers;
}

/** Returns the end of a JSON Web Token, in milliseconds. */
function tokenEnd(token: string): number | undefined {
  const payload = tryParseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  const { exp } = isObject(payload) ? payload : {};
  return typeof exp === 'number' ? exp * 1000 : undefined;
}

function certificateEnd({ cert }: ClientCertificate): number | undefined {
  try {
    return parseCertificateTime(new X509Certificate(cert).validTo);
  } catch {
    return undefined;
  }
}
