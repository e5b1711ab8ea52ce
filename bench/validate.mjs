// How long `kprobe validate` takes for 1,000 documents, and `validate` and `lint` for a file of 2 MB with sixteen fixes
// and for a repository, start and end included:
//
//     npm run bench:validate [ORACLE] [-- --repository FOLDER]
//
// ORACLE is the Go program that validates with Kubernetes' own code. It is measured beside kprobe, and so are kubeconform
// and kube-linter where they are on the PATH (go install github.com/yannh/kubeconform/cmd/kubeconform@latest, and
// golang.stackrox.io/kube-linter/cmd/kube-linter@latest).
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const DOCUMENTS = 1000;
const FIXES = 16;
const CONFIG_LINES = 40_000;
const RUNS = 5;
const cases = new URL('../test/conformance/validation/cases/', import.meta.url);
const kprobe = new URL('../bin/kprobe.js', import.meta.url).pathname;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { repository: { type: 'string' } },
});
const [oracle] = positionals;

const texts = readdirSync(cases)
  .filter((name) => /^\d+-valid-.*\.yaml$/.test(name))
  .map((name) => readFileSync(new URL(name, cases), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'kprobe-bench-'));

function report(title, command, args) {
  const times = [];
  for (let run = 0; run < RUNS; run++) {
    const start = performance.now();
    const { error } = spawnSync(command, args, { stdio: 'ignore' });
    if (error !== undefined) return;
    times.push(performance.now() - start);
  }
  const median = times.sort((a, b) => a - b)[Math.floor(RUNS / 2)];
  process.stdout.write(`${title}: ${Math.round(median)} ms\n`);
}

function reportAll(what, path) {
  report(`kprobe validate, ${what}`, process.execPath, [kprobe, 'validate', '-q', path]);
  report(`kprobe lint, ${what}`, process.execPath, [kprobe, 'lint', '-q', path]);
  // It must not fetch schemas: without them it checks syntax and kinds.
  const offline = [
    '-ignore-missing-schemas',
    '-schema-location',
    join(folder, '{{ .ResourceKind }}.json'),
  ];
  report(`kubeconform, ${what}`, 'kubeconform', [...offline, path]);
  report(`kube-linter, ${what}`, 'kube-linter', ['lint', path]);
}

/** A ConfigMap of 2 MB, and pods that misspell the port of a probe. */
function longFile() {
  const line = (_, index) => `  key-${index}: ${'x'.repeat(36)}\n`;
  const config = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: data}\ndata:\n`;
  const pod = (_, index) => `---
apiVersion: v1
kind: Pod
metadata: {name: pod-${index}}
spec:
  containers:
  - name: app
    image: example.com/web:1.4
    ports: [{name: http, containerPort: 8080}]
    readinessProbe: {httpGet: {path: /readyz, port: htttp}}
`;
  const data = Array.from({ length: CONFIG_LINES }, line);
  return config + data.join('') + Array.from({ length: FIXES }, pod).join('');
}

try {
  const documents = join(folder, 'documents');
  mkdirSync(documents);
  for (let index = 0; index < DOCUMENTS; index++) {
    const name = `${String(index).padStart(4, '0')}.yaml`;
    writeFileSync(join(documents, name), texts[index % texts.length]);
  }
  const long = join(folder, 'long.yaml');
  writeFileSync(long, longFile());
  reportAll(`${DOCUMENTS} documents`, documents);
  if (oracle !== undefined) report(oracle, oracle, [documents]);
  reportAll(`2 MB with ${FIXES} fixes`, long);
  if (values.repository !== undefined) reportAll(values.repository, values.repository);
} finally {
  rmSync(folder, { recursive: true });
}
