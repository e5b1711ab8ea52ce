import { ownField } from '../../api/index.js';
import { parseDuration } from '../../go/duration.js';
import { type ManifestSource, SourceFile } from '../documents/source-file.js';
import type { ImportedCompose } from './compose.js';
import {
  type Healthcheck,
  HEALTHCHECK_DEFAULTS,
  type ImportedContainer,
  parsePorts,
  uniquePorts,
  withDefaults,
} from './healthcheck.js';

/** Reports whether a file is a Dockerfile, by its name, or by its text for standard input. */
export function isDockerfile({ file, text }: ManifestSource): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return /^(?:docker|container)file\b|\.dockerfile$/i.test(name) || /^FROM\s+\S+/m.test(text);
}

interface Instruction {
  readonly name: string;
  readonly rest: string;
  readonly offset: number;
}

/** Instructions of a stage of a build about its image, with those of the stage that it begins with. */
interface Stage {
  readonly healthcheck?: Healthcheck | undefined;
  readonly ports: readonly string[];
  readonly shell: readonly string[];
}

const NEW_STAGE: Stage = { ports: [], shell: ['/bin/sh', '-c'] };

/** Returns the container of a Dockerfile's last stage, with its HEALTHCHECK as BuildKit reads it. */
export function importDockerfile(source: ManifestSource, name: string): ImportedCompose {
  const file = new SourceFile(source);
  const stages = new Map<string, Stage>();
  let stage = NEW_STAGE;
  let stageName = '';
  for (const { name: instruction, rest, offset } of instructionsOf(source.text)) {
    if (instruction === 'FROM') {
      const [, base = '', as = ''] = /^(?:--\S+\s+)*(\S+)(?:\s+as\s+(\S+))?/i.exec(rest) ?? [];
      stage = stages.get(base.toLowerCase()) ?? NEW_STAGE;
      stageName = as.toLowerCase();
    } else if (instruction === 'EXPOSE') {
      stage = { ...stage, ports: [...stage.ports, ...rest.trim().split(/\s+/)] };
    } else if (instruction === 'SHELL') {
      stage = { ...stage, shell: jsonWords(rest) ?? stage.shell };
    } else if (instruction === 'HEALTHCHECK') {
      const healthcheck = healthcheckOf(rest, stage, (message, hint) =>
        file.error(offset, 'HEALTHCHECK', message, hint),
      );
      stage = { ...stage, healthcheck };
    }
    stages.set(stageName, stage);
  }
  const ports = uniquePorts(stage.ports.flatMap((port) => parsePorts(port) ?? []));
  const container: ImportedContainer = { name, image: name, ports, healthcheck: stage.healthcheck };
  return { containers: file.hasErrors() ? [] : [container], diagnostics: file.diagnostics() };
}

function instructionsOf(text: string): readonly Instruction[] {
  const escape = /^#\s*escape\s*=\s*`/im.test(text) ? '`' : '\\';
  const found: Instruction[] = [];
  let open: { start: number; lines: string[] } | undefined;
  let offset = 0;
  for (const line of text.split('\n')) {
    const isSkipped = /^\s*(?:#.*)?\r?$/.test(line);
    if (!isSkipped) {
      open ??= { start: offset, lines: [] };
      const code = line.trimEnd();
      const isContinued = code.endsWith(escape);
      open.lines.push(isContinued ? code.slice(0, -1) : code);
      if (!isContinued) {
        found.push(...instruction(open.lines.join(''), open.start));
        open = undefined;
      }
    }
    offset += line.length + 1;
  }
  return open === undefined ? found : [...found, ...instruction(open.lines.join(''), open.start)];
}

function instruction(line: string, offset: number): readonly Instruction[] {
  const [, name, rest = ''] = /^\s*([a-z]+)\s*([^]*)$/i.exec(line) ?? [];
  return name === undefined ? [] : [{ name: name.toUpperCase(), rest, offset }];
}

function jsonWords(text: string): readonly string[] | undefined {
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) && words.every((word) => typeof word === 'string')
      ? words
      : undefined;
  } catch {
    return undefined;
  }
}

const OPTIONS: Readonly<Record<string, 'interval' | 'timeout' | 'startPeriod' | 'startInterval'>> =
  {
    interval: 'interval',
    timeout: 'timeout',
    'start-period': 'startPeriod',
    'start-interval': 'startInterval',
  };

/** Ports parseHealthConfig (buildkit, frontend/dockerfile/instructions/parse.go). */
function healthcheckOf(
  text: string,
  { shell }: Stage,
  fail: (message: string, hint: string) => void,
): Healthcheck | undefined {
  const [flags = ''] = /^(?:--\S+\s+)*/.exec(text) ?? [];
  const [, kind = '', command = ''] = /^(\S+)\s*([^]*)$/.exec(text.slice(flags.length)) ?? [];
  if (/^none$/i.test(kind)) return { ...HEALTHCHECK_DEFAULTS, test: ['NONE'] };
  if (!/^cmd$/i.test(kind) || command === '') {
    fail('must be NONE, or CMD and a command', 'HEALTHCHECK CMD curl -f http://localhost/');
    return undefined;
  }
  const words = jsonWords(command);
  const isDefault = shell[0] === '/bin/sh';
  const line = isDefault ? ['CMD-SHELL', command] : ['CMD', ...shell, command];
  const times = { interval: 0, timeout: 0, startPeriod: 0, startInterval: 0, retries: 0 };
  for (const [, key = '', value = ''] of flags.matchAll(/--([\w-]+)=(\S+)/g)) {
    const number = key === 'retries' ? Number(value) : parseDuration(value);
    const field = key === 'retries' ? key : ownField(OPTIONS, key);
    if (field === undefined)
      fail(`unknown option --${key}`, 'see docs.docker.com/reference/dockerfile');
    else if (number === undefined || !(number >= 0))
      fail(`--${key}=${value} is not valid`, 'write 30s, or 3 retries');
    else times[field] = number;
  }
  return withDefaults({ test: words === undefined ? line : ['CMD', ...words], ...times });
}
