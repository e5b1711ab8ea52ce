// How long `kprobe validate` takes for 1,000 documents, start and end included:
//
//     npm run bench:validate [ORACLE]
//
// ORACLE is the Go program that does the same with Kubernetes' own code; it is measured beside kprobe.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const DOCUMENTS = 1000;
const RUNS = 5;
const cases = new URL('../test/conformance/validation/cases/', import.meta.url);
const kprobe = new URL('../bin/kprobe.js', import.meta.url).pathname;
const [oracle] = process.argv.slice(2);

const texts = readdirSync(cases)
  .filter((name) => /^\d+-valid-.*\.yaml$/.test(name))
  .map((name) => readFileSync(new URL(name, cases), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'kprobe-bench-'));

function median(command, args) {
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now();
    spawnSync(command, args, { stdio: 'ignore' });
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)];
}

try {
  for (let index = 0; index < DOCUMENTS; index++) {
    const name = `${String(index).padStart(4, '0')}.yaml`;
    writeFileSync(join(folder, name), texts[index % texts.length]);
  }
  const ours = median(process.execPath, [kprobe, 'validate', '-o', 'ndjson', folder]);
  process.stdout.write(`kprobe validate: ${DOCUMENTS} documents in ${Math.round(ours)} ms\n`);
  if (oracle !== undefined) {
    const theirs = median(oracle, [folder]);
    process.stdout.write(`${oracle}: ${Math.round(theirs)} ms\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
