/** The validation that krew's index runs on each manifest; it needs Go. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VALIDATION = 'sigs.k8s.io/krew/cmd/validate-krew-manifest@v0.4.3';

/** Throws with what krew says against a manifest. The archives are not downloaded: before a release there are none. */
export function validateKrewManifest(file) {
  const folder = mkdtempSync(join(tmpdir(), 'kprobe-krew-'));
  try {
    // krew expects the name of the plugin.
    const manifest = join(folder, 'kprobe.yaml');
    copyFileSync(file, manifest);
    const args = ['run', VALIDATION, '-manifest', manifest, '-skip-install'];
    execFileSync('go', args, { stdio: 'pipe', encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
