import type { Container, EnvVar } from '../api/index.js';
import { containerProbes } from '../kubelet/prober/probe-of.js';
import { probedPort } from './attempt-context.js';
import type { Advice, Provision } from './change.js';
import { settingAdvice } from './named-setting.js';
import type { ProgramError } from './output/runtime-readers.js';
import { missingCommand, unexpanded } from './rules/command-rules.js';
import {
  COMPILE,
  correct,
  SET_VARIABLE,
  SURROUNDINGS,
  UNSET,
  VARIABLE,
  VARIABLE_NAME,
} from './rules/surrounding-patterns.js';

/** Returns what to do against an error that a program has reported. */
export function errorAdvice(error: ProgramError, container: Container): Advice {
  const { text, at, isConfig, isEnv } = error;
  if (isEnv) return /field required/i.test(text) ? SET_VARIABLE : { do: 'provide', what: 'value' };
  if (/^SyntaxError: /.test(text) && TYPESCRIPT.test(at ?? '')) return COMPILE;
  // Sentences about what to do are no part of the error.
  const told = text.replace(CHECKS, '');
  const main = told.replace(HINT, '');
  const config = isConfig && at ? at : configIn(`${main} ${at}`);
  const setting = settingAdvice(text, at !== undefined, config);
  const cure = surroundingAdvice(main, container);
  if (config !== undefined) return cure ?? setting ?? correct(config);
  return (
    cure ??
    surroundingAdvice(told, container) ??
    setting ?? { do: 'fixError', at, ...(error.isLast && { isLast: true }) }
  );
}

/** The place of an error in a file that a JavaScript engine cannot read as it is. */
const TYPESCRIPT = /\.[cm]?tsx?:\d+$/;

const HINT =
  /(?:, please|[.;>] (?:Consider|Did you|For more|If you|Please|See|Try|Use|You can|You may))\b.*$/s;

/** Sentences about what else may be wrong. */
const CHECKS = /\. Check\b.*$/s;

/** Finds the file of settings, with its line, that an error names beside something that cannot be read: it is not the program's. */
function configIn(text: string): string | undefined {
  // A place at the start of a message needs no more words.
  const placed = /^(?:\/[\w.-]+)*\/etc\/(?:[\w.-]+\/)*([\w.-]+)[:[](\d+)\]?:/.exec(text);
  if (placed !== null) return `${placed[1]}:${placed[2]}`;
  const [file] =
    /(?:[\w.-]+\.(?:ya?ml|json|toml|ini|conf|cnf|cfg|xml|properties|hcl)|[A-Z][a-z]+file)\b(?!\.\w)(?:: ?\d+)?/.exec(
      text,
    ) ?? [];
  const isUnread =
    /pars|scann|processing|no configuration found|conversion|syntax|unexpected|invalid|unknown|unrecogni[sz]ed|unmarshal|did not find|malformed|decod|(?:find|\bbut) expected|expected one of|may not be followed|bad indentation|bungled/i;
  if (!isUnread.test(text)) return undefined;
  // A parser may not know which file it reads.
  const [, line = ''] = /\bline (\d+)/.exec(text) ?? [];
  const isPlaced = line === '' || file?.includes(':');
  if (file !== undefined) return isPlaced ? file.replace(' ', '') : `${file}:${line}`;
  const [format] = /\b(?:json|ya?ml|toml)/i.exec(text) ?? [];
  const of = format?.toUpperCase() ?? (line !== '' && /config/i.test(text) ? 'configuration' : '');
  return of === '' ? undefined : `${line && `line ${line} of `}the ${of} that it reads`;
}

/** Returns what to do against an error of a program that is right, in surroundings that are not; the program's error says so. */
export function surroundingAdvice(text: string, container: Container): Advice | undefined {
  const known = SURROUNDINGS.find(({ pattern }) => pattern.test(text))?.advice;
  const unread = unreadAdvice(text, container);
  if (unread !== undefined || known?.do === 'correctHost') return unread ?? known;
  const what = known?.do === 'provide' ? known.what : undefined;
  const ofContainer =
    variableAdvice(text, container, known) ?? settingsAdvice(text, container, what);
  if (ofContainer !== undefined) return ofContainer;
  if (known === SET_VARIABLE) return unsetVariable(text);
  const missing = missingCommand(text);
  if (known !== undefined || missing === undefined) return known;
  return { do: 'command', field: 'command', command: missing, is: 'missing' };
}

/** Finds a word of the container that the error quotes, and that is not what it was meant to be. */
function unreadAdvice(text: string, container: Container): Advice | undefined {
  const { env = [], command = [], args = [] } = container;
  const word = unexpanded([...command, ...args]).find((each) => text.includes(each));
  if (word !== undefined) return { do: 'expand', field: 'command and args', word };
  // The kubelet leaves a reference to a variable that env lacks as it is.
  const reference = /\$\(\w+\)/.exec(text)?.[0];
  if (reference !== undefined) {
    if ([...command, ...args].some((each) => each.includes(reference))) return SET_VARIABLE;
    // One that env defines later counts as lacking, too.
    const user = env.find(({ value = '' }) => value.includes(reference));
    if (user !== undefined) return { do: 'setVariable', name: user.name };
  }
  // A port that is none may be taken for a host.
  const port = env.find((each) => isNoPort(each) && isQuoted(each, text));
  return port && { do: 'setVariable', name: port.name };
}

/** Finds the variable of the container that the error is about. */
function variableAdvice(
  text: string,
  { env = [] }: Container,
  known: Advice | undefined,
): Advice | undefined {
  // A name that a program's code lacks is none of its variables.
  const isFree = (!known || known.do === 'setVariable') && !/ReferenceError|NameError/.test(text);
  const names: readonly string[] = isFree ? (text.match(VARIABLE) ?? []) : [];
  const name = env.find(
    (each) => isBlamed(each, text) || names.some((named) => isLike(named, each.name)),
  )?.name;
  if (name === undefined) return undefined;
  const set = env.find((each) => each.name === name && (each.value ?? each.valueFrom));
  const isLost = set !== undefined && names.includes(name) && ABSENT.test(text);
  return { do: isLost ? 'passVariable' : 'setVariable', name };
}

/** Returns what the container's settings say of what its program lacks. */
function settingsAdvice(
  text: string,
  container: Container,
  what: Provision | undefined,
): Advice | undefined {
  const { volumeMounts = [], securityContext } = container;
  if (what === 'access' && /^Error: Os \{/.test(text) && usesLowPort(container)) {
    return { do: 'provide', what: 'lowPort' };
  }
  if (what === 'access' && securityContext?.capabilities?.drop && /not permitted/i.test(text)) {
    return { do: 'provide', what: 'capability' };
  }
  if (what === 'folder' && volumeMounts.some(({ subPath }) => subPath)) {
    return { do: 'provide', what: 'subPath' };
  }
  if (what === 'space' && volumeMounts.length === 0) return { do: 'provide', what: 'disk' };
  const isReadOnly = what === 'writableFolder';
  const mount = volumeMounts.find(
    ({ mountPath: path }) =>
      text.includes(`${path}/`) || (isReadOnly && text.split(/['":, ]+/).includes(path)),
  );
  if (mount === undefined) {
    return isReadOnly && OF_IMAGE.test(text) ? { do: 'provide', what: 'imageFiles' } : undefined;
  }
  const path = mount.mountPath;
  if (isReadOnly && (mount.readOnly || /\bEROFS\b|read-only/i.test(text))) {
    return { do: 'writableMount', path, by: mount.readOnly ? 'mount' : 'volume' };
  }
  return what === 'file' ? { do: 'addToVolume', path } : undefined;
}

/** Begins an error of a program that changes files of the image, which a volume in their place would hide. */
const OF_IMAGE = /^(?:add|del)?(?:group|user)(?:add|mod)?: |^ch(?:grp|mod|own): |^sed: /;

/** Names the variable of which an error says that it is not set: its name stands right before that, or behind it. */
function unsetVariable(text: string): Advice {
  const begin = UNSET.exec(text)?.index ?? 0;
  const [, before] =
    new RegExp(`\\b(${VARIABLE_NAME})\\b["'\`)]* *$`).exec(text.slice(0, begin)) ?? [];
  const name = before ?? text.slice(begin).match(VARIABLE)?.[0];
  return name === undefined ? SET_VARIABLE : { do: 'setVariable', name, isUnset: true };
}

/** Reports whether a probe names a port that only some users may listen on. */
function usesLowPort(container: Container): boolean {
  const ports = containerProbes(container).map(({ probe }) => probedPort(probe, container));
  return ports.some((port) => port > 0 && port < 1024);
}

/** Returns what to do about a program that says again and again that something is missing, or that it waits. */
export function waitAdvice(text: string, container: Container): Advice | undefined {
  const peer = WAITS.test(text) ? ({ do: 'provide', what: 'peer' } as const) : undefined;
  return surroundingAdvice(text, container) ?? peer;
}

/** A program that waits for its clients, or for work, lacks nothing. */
const WAITS =
  /\bwait(?!\w* for (?:\w+ )?(?:client|connection|event|job|message|request|task|work))|\bretry|\bnot (?:yet )?(?:ready|available|reachable|up)\b/i;

/** Returns what a pool lacks whose program has served nothing yet: it is not used up, but its peer gives no connection. */
export function unusedPoolAdvice(advice: Advice, text: string): Advice {
  const isPool = advice.do === 'provide' && advice.what === 'connections' && /pool/i.test(text);
  const isUsedUp = /\blimit\b.*\breached\b|exhaust|\btotal=[1-9]/i.test(text);
  return isPool && !isUsedUp ? { do: 'provide', what: 'peer' } : advice;
}

/** Reports whether an advice is about what a command checks: a file that the program makes, or its server. */
export function isOfCheck(advice: Advice): boolean {
  if (advice.do !== 'provide') return advice.do === 'addToVolume';
  return ['file', 'peer', 'scheme'].includes(advice.what);
}

/** Reports whether an error quotes the value of a variable, or is about a port that the variable does not give. */
function isBlamed(variable: EnvVar, text: string): boolean {
  if ((isNoPort(variable) && /\bport\b/i.test(text)) || isQuoted(variable, text)) return true;
  const { value = '' } = variable;
  // A value like `eu-west-9` is no word of a sentence, but may be a name that stands in each line.
  const isOdd = /^(?=.*[a-z])(?=.*[\d_-])[\w-]{4,}$/i.test(value);
  return isOdd && new RegExp(`${REFUSES}(?: [\\w-]+){0,2}:? ${value}(?![\\w-])`, 'i').test(text);
}

function isNoPort({ name, value = '' }: EnvVar): boolean {
  return /(?:^|_)PORT$/.test(name) && !(/^\d+$/.test(value) && Number(value) < 65_536);
}

function isQuoted({ value = '' }: EnvVar, text: string): boolean {
  const shown = value.replaceAll('\n', String.raw`\n`);
  // Nobody means the blank at an end, which an error may show without quotes: two blanks in a row.
  const isBlank = /\S $/.test(shown) && text.includes(`${shown} `);
  return isBlank || (value !== '' && QUOTES.some((quote) => text.includes(quote + shown + quote)));
}

/** Words before a value that a program does not accept. */
const REFUSES = String.raw`\b(?:no such|unknown|invalid|unsupported|unrecogni[sz]ed|illegal|bad)`;

/** Reports whether two names are one, perhaps with a letter too few, wrong or misplaced: `DATABSE_URL`. */
function isLike(a: string, b: string): boolean {
  // Names that differ in a number are those of two things.
  if (a.replaceAll(/\d/g, '') === b.replaceAll(/\d/g, '')) return a === b;
  const ofSecond = orOneLess(b);
  return orOneLess(a).some((each) => ofSecond.includes(each));
}

/** Returns a name, and it without each of its letters. */
function orOneLess(name: string): readonly string[] {
  return [name, ...Array.from(name, (_, at) => name.slice(0, at) + name.slice(at + 1))];
}

/** Phrases about a variable that is missing. */
const ABSENT = /\bKeyError\b|\bkey not found\b|\b(?:not|un) ?(?:set|found|defined)\b|\bmissing\b/i;

const QUOTES = ["'", '"', '`'];
