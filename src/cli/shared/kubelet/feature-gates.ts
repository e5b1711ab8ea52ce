import { GATE_SIGNS, SERVER_GATES } from '../../../api/admission/index.js';
import {
  type Difference,
  DIFFERENCES,
  type FeatureGates,
  KUBERNETES_RELEASES,
  nearestRelease,
  PREVIEWS,
} from '../../../kubelet/release.js';
import { similarName } from '../../../manifest/similar-name.js';
import { UsageError } from '../../../usage-error.js';

/** Returns the gates of a release, each with its sign (known-gates.ts explains the signs). */
export function gatesOf(version: string): ReadonlyMap<string, string> {
  const release = KUBERNETES_RELEASES.indexOf(nearestRelease(version));
  const gates = [...GATE_SIGNS].map(([name, signs]) => [name, signs.charAt(release)] as const);
  return new Map(gates.filter(([, sign]) => sign !== '.'));
}

/** Gates on which a decision of kprobe depends. */
const READ_GATES: ReadonlySet<string | undefined> = new Set([
  ...Object.values<Difference>(DIFFERENCES).map(({ gate }) => gate),
  ...SERVER_GATES,
]);

/**
 * Refuses the gates that a kubelet of that version refuses, with a UsageError; returns those on which no decision of kprobe
 * depends. Ports SetFromMap (component-base/featuregate/feature_gate.go).
 */
export function checkGates(gates: FeatureGates, version: string): readonly string[] {
  const known = new Map([
    ...gatesOf(version),
    ...Object.keys(PREVIEWS).map((name) => [name, '-'] as const),
  ]);
  for (const [name, value] of Object.entries(gates)) {
    const sign = known.get(name);
    if (sign === undefined) throw new UsageError(unknownGate(name, version, [...known.keys()]));
    const locked = { T: true, F: false }[sign];
    if (locked !== undefined && locked !== value) {
      throw new UsageError(
        `--feature-gates: ${name} cannot be ${value}: Kubernetes ${version} has locked it to ${locked}`,
      );
    }
  }
  return Object.keys(gates).filter((name) => !READ_GATES.has(name));
}

function unknownGate(name: string, version: string, known: readonly string[]): string {
  const near = similarName(name, known);
  const others = KUBERNETES_RELEASES.filter((release) => gatesOf(release).has(name));
  const hint =
    others.length > 0
      ? ` (it is a gate of ${others[0]}${others.length > 1 ? ` – ${others.at(-1)}` : ''})`
      : near === undefined
        ? ''
        : ` (did you mean ${near}?)`;
  return `--feature-gates: Kubernetes ${version} has no feature gate "${name}"${hint}`;
}
