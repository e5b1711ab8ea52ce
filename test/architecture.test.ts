import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');

/** What any folder may import. */
const SHARED = [
  'api',
  'clock',
  'go',
  'kubelet',
  'secrets',
  'text',
  'trace',
  'usage-error.ts',
  'version.ts',
];

/** The libraries above the engine and the world. */
const LIBRARIES = [
  ...SHARED,
  'cluster',
  'diagnosis',
  'manifest',
  'probe',
  'report',
  'rollout',
  'runtime',
  'schedule',
  'session',
  'sim',
  'suggest',
  'tui',
];

/** Which folders of src a folder may import: engine and reading ← the world, showing ← commands ← cli. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  text: [],
  'usage-error.ts': [],
  'version.ts': [],
  go: [],
  secrets: ['api'],
  clock: [],
  api: ['go'],
  manifest: ['api', 'go', 'secrets'],
  'trace/event.ts': ['api', 'kubelet', 'trace'],
  kubelet: ['api', 'clock', 'go', 'trace/event.ts'],
  trace: ['api', 'go', 'kubelet', 'secrets', 'text', 'trace/event.ts'],
  schedule: ['api', 'kubelet', 'text', 'trace', 'trace/event.ts'],
  diagnosis: ['api', 'go', 'kubelet', 'schedule', 'text', 'trace', 'trace/event.ts'],
  sim: ['api', 'clock', 'go', 'kubelet', 'manifest', 'trace', 'trace/event.ts'],
  suggest: ['api', 'kubelet', 'schedule', 'sim', 'text', 'trace/event.ts'],
  rollout: [...SHARED, 'manifest', 'sim', 'trace/event.ts'],
  process: ['clock', 'go'],
  probe: ['api', 'clock', 'go', 'kubelet', 'process'],
  runtime: ['api', 'clock', 'go', 'kubelet', 'process', 'text'],
  cluster: [...SHARED, 'diagnosis', 'manifest', 'process', 'schedule', 'trace/event.ts'],
  session: [
    ...SHARED,
    'cluster',
    'diagnosis',
    'manifest',
    'probe',
    'rollout',
    'runtime',
    'schedule',
    'sim',
    'trace/event.ts',
  ],
  report: [...SHARED, 'diagnosis', 'manifest', 'rollout', 'schedule', 'sim', 'trace/event.ts'],
  tui: [...SHARED, 'diagnosis', 'manifest', 'report', 'schedule', 'trace/event.ts'],
  commands: [...LIBRARIES, 'cli/shared', 'process', 'trace/event.ts'],
  'cli/shared': [...LIBRARIES, 'trace/event.ts'],
  cli: [...SHARED, 'cli/shared', 'commands'],
  'index.ts': ['clock', 'commands', 'manifest', 'session', 'sim', 'trace'],
};

/** Which folders inside a folder may import which of its others; `.` stands for its own files. */
const ROOMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  kubelet: {
    '.': ['prober', 'status', 'containers', 'sync'],
    prober: ['.'],
    status: ['.'],
    containers: ['.', 'prober'],
    sync: ['.', 'prober', 'status', 'containers'],
  },
  api: {
    '.': [
      'admission',
      'decode',
      'defaults',
      'helpers',
      'schema',
      'validation',
      'values',
      'warnings',
    ],
    values: [],
    schema: ['values'],
    helpers: ['schema', 'values'],
    decode: ['defaults', 'schema', 'values'],
    defaults: ['helpers', 'schema', 'values'],
    validation: ['helpers', 'schema', 'values'],
    warnings: ['helpers', 'schema', 'validation', 'values'],
    admission: ['decode', 'defaults', 'helpers', 'schema', 'validation', 'warnings'],
  },
  cluster: {
    '.': [],
    connection: ['.'],
    client: ['.', 'connection'],
    observe: ['.'],
  },
  tui: {
    '.': ['store', 'hooks', 'components', 'views'],
    store: [],
    hooks: ['store'],
    components: ['hooks', 'store'],
    views: ['components', 'hooks', 'store'],
  },
  'api/validation': {
    common: [],
    volumes: ['common'],
    containers: ['common', 'volumes'],
    pod: ['common', 'volumes', 'containers'],
    workloads: ['common', 'volumes', 'pod'],
  },
};

/** Folders that other files import from their doors alone. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  api: ['api/index.js', 'api/decode/index.js', 'api/admission/index.js'],
  'diagnosis/words': ['diagnosis/words.js'],
};

/** Who knows a package. */
const PACKAGE_HOMES: Readonly<Record<string, readonly string[]>> = {
  ajv: ['manifest/crds'],
  diff: ['commands/lint'],
  'dockerfile-ast': ['manifest/import'],
  'js-yaml': ['manifest'],
  leven: ['manifest'],
  picomatch: ['cli/shared/config'],
  shlex: ['session/targets'],
  punycode: ['go'],
  'string-width': ['text'],
  tinyqueue: ['clock'],
  yaml: ['go/yaml'],
  execa: ['cluster/connection', 'probe', 'runtime'],
  'prom-client': ['cli/shared'],
  undici: ['cluster', 'runtime'],
  chalk: ['tui'],
  ink: ['tui'],
  react: ['tui'],
  '@commander-js/extra-typings': ['cli', 'commands'],
  '@modelcontextprotocol/sdk': ['commands/mcp'],
  zod: ['commands/mcp'],
};

/** The engine's and the reading rooms know neither Node nor packages: they are to run in a browser too. */
const PURE = [
  'api',
  'clock',
  'diagnosis',
  'go',
  'kubelet',
  'manifest',
  'rollout',
  'schedule',
  'secrets',
  'sim',
  'suggest',
  'text',
  'trace',
  'trace/event.ts',
];

interface SourceFile {
  /** From src, such as `kubelet/kubelet.ts`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sourceFiles(folder = SRC): SourceFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourceFiles(path);
    if (!/\.tsx?$/.test(entry.name)) return [];
    const text = readFileSync(path, 'utf8');
    return [{ path: relative(SRC, path), text, imports: importsOf(text) }];
  });
}

function importsOf(text: string): string[] {
  const statement =
    /^\s*(?:import|export)\s[^'"]*?from\s+'([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;
  return [...text.matchAll(statement)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

/** The first folder; the vocabulary of a trace and what commands share stand for themselves. */
function folderOf(path: string): string {
  if (/^trace\/event\.(?:ts|js)$/.test(path)) return 'trace/event.ts';
  if (path.startsWith('cli/shared/')) return 'cli/shared';
  return (path.split('/')[0] ?? '').replace(/\.js$/, '.ts');
}

/** The file of src that a relative import means. */
function resolveImport(from: string, specifier: string): string {
  return relative(SRC, resolve(SRC, dirname(from), specifier));
}

const files = sourceFiles();
const relativeImports = files.flatMap(({ path, imports }) =>
  imports.filter((i) => i.startsWith('.')).map((i) => ({ path, target: resolveImport(path, i) })),
);
const packageImports = files.flatMap(({ path, imports }) =>
  imports.filter((i) => !i.startsWith('.')).map((specifier) => ({ path, specifier })),
);

function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function isNode(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

describe('the layout of src', () => {
  it('has only folders that the rules know', () => {
    const folders = new Set(files.map(({ path }) => folderOf(path)));
    expect([...folders].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  it('lets imports point one way', () => {
    const wrong = relativeImports.filter(({ path, target }) => {
      const [from, to] = [folderOf(path), folderOf(target)];
      return !target.startsWith('..') && from !== to && !MAY_IMPORT[from]?.includes(to);
    });
    expect(wrong.map(({ path, target }) => `${path} → ${target}`)).toEqual([]);
  });

  it.each(Object.entries(ROOMS))('lets imports inside %s point one way', (folder, rooms) => {
    const roomOf = (path: string): string | undefined => {
      if (!path.startsWith(`${folder}/`)) return undefined;
      const [room = '', ...rest] = path.slice(folder.length + 1).split('/');
      return rest.length === 0 ? '.' : room;
    };
    const wrong = relativeImports.filter(({ path, target }) => {
      const [from, to] = [roomOf(path), roomOf(target)];
      if (from === undefined || to === undefined || from === to) return false;
      return !rooms[from]?.includes(to);
    });
    expect(wrong.map(({ path, target }) => `${path} → ${target}`)).toEqual([]);
  });

  it('lets no command import another', () => {
    const roomOf = (path: string): string | undefined => /^commands\/([^/]+)\//.exec(path)?.[1];
    const wrong = relativeImports.filter(({ path, target }) => {
      const [from, to] = [roomOf(path), roomOf(target)];
      return from !== undefined && to !== undefined && from !== to;
    });
    expect(wrong.map(({ path, target }) => `${path} → ${target}`)).toEqual([]);
  });

  it('lets others import a library from its door alone', () => {
    const wrong = relativeImports.filter(({ path, target }) => {
      const folder = Object.keys(DOORS).find((each) => target.startsWith(`${each}/`));
      const doors = DOORS[folder ?? ''] ?? [target];
      const isDoor = Object.values(DOORS).flat().includes(path.replace(/\.ts$/, '.js'));
      return !path.startsWith(`${folder}/`) && !isDoor && !doors.includes(target);
    });
    expect(wrong.map(({ path, target }) => `${path} → ${target}`)).toEqual([]);
  });

  it('has doors that only re-export', () => {
    const paths = Object.values(DOORS).flat();
    const doors = files.filter(({ path }) => paths.includes(path.replace(/\.ts$/, '.js')));
    expect(doors).toHaveLength(paths.length);
    for (const { text } of doors) {
      const rest = withoutComments(text).replace(/export [^;]*? from '[^']+';/g, '');
      expect(rest.trim()).toBe('');
    }
  });

  it('has no import cycles', () => {
    expect(cycles()).toEqual([]);
  });

  it('keeps every package in the folders that know it', () => {
    const wrong = packageImports.filter(({ path, specifier }) => {
      if (isNode(specifier)) return false;
      const homes = PACKAGE_HOMES[packageName(specifier)];
      return homes !== undefined && !homes.some((home) => path.startsWith(`${home}/`));
    });
    expect(wrong.map(({ path, specifier }) => `${path} → ${specifier}`)).toEqual([]);
  });

  it('keeps the core free of Node and of packages but a few pure ones', () => {
    const pure = [
      'ajv',
      'diff',
      'dockerfile-ast',
      'js-yaml',
      'leven',
      'picomatch',
      'punycode',
      'string-width',
      'tinyqueue',
      'yaml',
    ];
    const wrong = packageImports.filter(
      ({ path, specifier }) =>
        PURE.includes(folderOf(path)) && !pure.includes(packageName(specifier)),
    );
    expect(wrong.map(({ path, specifier }) => `${path} → ${specifier}`)).toEqual([]);
  });

  it.each([
    ['the current time', /\bnew Date\(|\bDate\.now\(|\bperformance\.now\(|\bhrtime\b/],
    ['timers', /(?<![\w.])(?:setTimeout|setInterval|setImmediate|process\.nextTick)\(/],
    ['chance', /\bMath\.random\(/],
  ])('takes %s from the clock outside clock/, cli/ and commands/', (_, pattern) => {
    const wrong = files.filter(
      ({ path, text }) =>
        !['clock', 'cli', 'cli/shared', 'commands'].includes(folderOf(path)) &&
        pattern.test(withoutComments(text)),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('knows the process in cli/ and commands/ only', () => {
    const wrong = files.filter(
      ({ path, text }) =>
        !['cli', 'cli/shared', 'commands'].includes(folderOf(path)) &&
        /(?<![\w.'])process\.(?:env|argv|cwd|exit|std|on|once|kill|pid)|'node:process'/.test(
          withoutComments(text),
        ),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('has at most 25 files in a folder, beside its subfolders', () => {
    const counts = new Map<string, number>();
    for (const { path } of files) {
      const folder = path.slice(0, path.lastIndexOf('/'));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 25)).toEqual([]);
  });

  it('names its files in kebab-case', () => {
    const wrong = files.filter(
      ({ path }) => !/^[a-z0-9-]+(?:\/[a-z0-9-]+)*(?:\.d)?\.tsx?$/.test(path),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});

/** Folders of tests of the whole program, and what tests need. */
const WHOLE = [
  'browser',
  'cli',
  'conformance',
  'container',
  'real-cluster',
  'docs',
  'helpers',
  'package',
  'sea',
  'site',
  'terminal',
  'versions',
];

/** Tests that are of no single file of src. */
const UNMIRRORED = [
  'architecture.test.ts',
  'diagnosis/corpus/corpus.test.ts',
  'diagnosis/corpus/programs.live.test.ts',
  'examples.long.test.ts',
  'kubelet/properties.test.ts',
  'manifest/fuzz.test.ts',
  'probe/hostile.long.test.ts',
  'reach.test.ts',
  'tui/screens.test.ts',
];

describe('the layout of test', () => {
  it('mirrors src: X.test.ts and X.TOPIC.test.ts test X.ts', () => {
    const paths = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.test\.tsx?$/.test(path))
      .filter((path) => !WHOLE.includes(path.split('/')[0] ?? ''));
    const sources = new Set(files.map(({ path }) => path.replace(/\.tsx?$/, '')));
    const unmirrored = paths.filter(
      (path) => !sources.has(path.replace(/(?:\.[\w-]+)*\.test\.tsx?$/, '')),
    );
    expect(paths.length).toBeGreaterThan(200);
    expect(unmirrored.toSorted()).toEqual(UNMIRRORED);
  });
});

describe('the packages', () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const imported = new Set(
    packageImports
      .filter(({ specifier }) => !isNode(specifier))
      .map(({ specifier }) => packageName(specifier)),
  );

  it('are declared when src imports them', () => {
    const declared = { ...manifest.dependencies, ...manifest.devDependencies };
    expect([...imported].filter((name) => declared[name] === undefined)).toEqual([]);
  });

  it('are all bundled: an installed kprobe needs none', () => {
    expect(Object.keys(manifest.dependencies ?? {})).toEqual([]);
  });

  it('are imported when they have a home', () => {
    const declared = Object.keys(PACKAGE_HOMES).filter((name) => manifest.devDependencies[name]);
    expect(declared.filter((name) => !imported.has(name))).toEqual([]);
  });

  it('come from a lock file that names no host', () => {
    expect(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).not.toContain('"resolved"');
  });
});

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}

/** Every cycle that a depth-first walk along the imports meets. */
function cycles(): string[] {
  const edges = new Map<string, string[]>();
  for (const { path, target } of relativeImports) {
    edges.set(path, [...(edges.get(path) ?? []), target.replace(/\.js$/, '.ts')]);
  }
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at !== -1) found.push([...trail.slice(at), path].join(' → '));
    if (at !== -1 || done.has(path)) return;
    for (const next of edges.get(path) ?? []) walk(next, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) walk(path, []);
  return found;
}
