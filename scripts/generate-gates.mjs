// Prints src/api/schema/known-gates.ts: the feature gates that each release of Kubernetes has. Takes Go, and minutes, since
// each release's own package pkg/features is asked for its gates:
//
//     node scripts/generate-gates.mjs > src/api/schema/known-gates.ts
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VERSIONS = ['1.32.13', '1.33.13', '1.34.4', '1.35.4', '1.36.3', '1.37.2'];

const PROGRAM = `package main

import (
	"encoding/json"
	"os"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	_ "k8s.io/kubernetes/pkg/features"
)

func main() {
	json.NewEncoder(os.Stdout).Encode(utilfeature.DefaultMutableFeatureGate.GetAll())
}
`;

/** Returns the gates of a version; Kubernetes names its staging modules without a version. */
function gatesOf(version) {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-gates-'));
  const go = (...args) => execFileSync('go', args, { cwd: folder, encoding: 'utf8' });
  try {
    const { GoMod } = JSON.parse(go('mod', 'download', '-json', `k8s.io/kubernetes@v${version}`));
    const staged = [...readFileSync(GoMod, 'utf8').matchAll(/^\s*(k8s\.io\/\S+) v0\.0\.0$/gm)];
    const replaced = staged.map(([, name]) => `replace ${name} => ${name} v0${version.slice(1)}`);
    const required = `require k8s.io/kubernetes v${version}`;
    writeFileSync(join(folder, 'go.mod'), ['module gates', required, ...replaced, ''].join('\n'));
    writeFileSync(join(folder, 'main.go'), PROGRAM);
    go('mod', 'tidy');
    return JSON.parse(go('run', '.'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function sign(gate) {
  if (gate === undefined) return '.';
  if (gate.LockToDefault) return gate.Default ? 'T' : 'F';
  return gate.Default ? '+' : '-';
}

const releases = VERSIONS.map(gatesOf);
const groups = new Map();
for (const name of [...new Set(releases.flatMap((gates) => Object.keys(gates)))].sort()) {
  if (name === 'AllAlpha' || name === 'AllBeta') continue;
  const signs = releases.map((gates) => sign(gates[name])).join('');
  groups.set(signs, [...(groups.get(signs) ?? []), name]);
}
const rows = [...groups].sort().flatMap(([signs, names]) => {
  const lines = [signs];
  for (const name of names) {
    if (lines.at(-1).length + name.length > 118) lines.push(signs);
    lines.push(`${lines.pop()} ${name}`);
  }
  return lines;
});
console.log(`/**
 * The feature gates of each release, printed by scripts/generate-gates.mjs. Each row has one sign per release: \`+\` on by default,
 * \`-\` off by default, \`T\` locked on, \`F\` locked off, \`.\` unknown.
 */
export const KNOWN_GATES = \`
${rows.join('\n')}
\`;`);
