import { DockerfileParser, From, Healthcheck, Shell } from 'dockerfile-ast';

import { ownField } from '../../api/index.js';
import { parseDuration } from '../../go/duration.js';
import { type ManifestSource, SourceFile } from '../documents/source-file.js';
import type { ImportedCompose } from './compose.js';
import {
  type Healthcheck as ContainerHealthcheck,
  HEALTHCHECK_DEFAULTS,
  withDefaults,
} from './healthcheck.js';
import type { ImportedContainer } from './imported-manifest.js';
import { parsePorts, uniquePorts } from './imported-ports.js';

/** Reports whether a file is a Dockerfile, by its name, or by its text for standard input. */
export function isDockerfile({ file, text }: ManifestSource): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return /^(?:docker|container)file\b|\.dockerfile$/i.test(name) || /^FROM\s+\S+/m.test(text);
}

/** Instructions of a build stage about its image, with those of the base stage. */
interface Stage {
  readonly healthcheck?: ContainerHealthcheck | undefined;
  readonly ports: readonly string[];
  readonly shell: readonly string[];
}

const NEW_STAGE: Stage = { ports: [], shell: ['/bin/sh', '-c'] };

/** Returns the container of a Dockerfile's last stage, with its HEALTHCHECK as BuildKit reads it. */
export function importDockerfile(source: ManifestSource, name: string): ImportedCompose {
  const file = new SourceFile(source);
  const dockerfile = DockerfileParser.parse(source.text);
  const stages = new Map<string, Stage>();
  let stage = NEW_STAGE;
  let stageName = '';
  for (const instruction of dockerfile.getInstructions()) {
    const { line } = instruction.getRange().start;
    const rest = instruction.getArgumentsContent() ?? '';
    if (instruction instanceof From) {
      stage = stages.get(instruction.getImage()?.toLowerCase() ?? '') ?? NEW_STAGE;
      stageName = instruction.getBuildStage()?.toLowerCase() ?? '';
    } else if (instruction instanceof Healthcheck) {
      const fail = (message: string, hint: string): void =>
        file.error(lineStart(source.text, line), 'HEALTHCHECK', message, hint);
      stage = { ...stage, healthcheck: healthcheckOf(instruction, stage, fail) };
    } else if (instruction.getKeyword() === 'EXPOSE') {
      stage = { ...stage, ports: [...stage.ports, ...rest.split(/\s+/)] };
    } else if (instruction instanceof Shell) {
      stage = { ...stage, shell: jsonWords(rest) ?? stage.shell };
    }
    stages.set(stageName, stage);
  }
  const ports = uniquePorts(stage.ports.flatMap((port) => parsePorts(port) ?? []));
  const container: ImportedContainer = { name, image: name, ports, healthcheck: stage.healthcheck };
  return { containers: file.hasErrors() ? [] : [container], diagnostics: file.diagnostics() };
}

function lineStart(text: string, line: number): number {
  return [...text.matchAll(/^/gm)][line]?.index ?? 0;
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
  instruction: Healthcheck,
  { shell }: Stage,
  fail: (message: string, hint: string) => void,
): ContainerHealthcheck | undefined {
  const [, kind = '', command = ''] =
    /^(\S+)\s*([^]*)$/.exec(instruction.getArgumentsContent() ?? '') ?? [];
  if (/^none$/i.test(kind)) return { ...HEALTHCHECK_DEFAULTS, test: ['NONE'] };
  if (!/^cmd$/i.test(kind) || command === '') {
    fail('must be NONE, or CMD and a command', 'HEALTHCHECK CMD curl -f http://localhost/');
    return undefined;
  }
  const words = jsonWords(command);
  const isDefault = shell[0] === '/bin/sh';
  const line = isDefault ? ['CMD-SHELL', command] : ['CMD', ...shell, command];
  const times = { interval: 0, timeout: 0, startPeriod: 0, startInterval: 0, retries: 0 };
  for (const flag of instruction.getFlags()) {
    const [key, value] = [flag.getName(), flag.getValue() ?? ''];
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
