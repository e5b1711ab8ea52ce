// Fills the templates for krew and Homebrew with the version and the checksums of a release's archives:
//   node packaging/fill.mjs DIR    reads DIR/kprobe-*.tar.gz, writes DIR/krew.yaml and DIR/homebrew.rb
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
const folder = process.argv[2];

const sha256 = (archive) =>
  createHash('sha256')
    .update(readFileSync(join(folder, archive)))
    .digest('hex');

for (const template of ['krew.yaml', 'homebrew.rb']) {
  const filled = readFileSync(join(import.meta.dirname, template), 'utf8')
    .replace(/^#.*\n/, '')
    .replaceAll('{{version}}', version)
    .replaceAll(/\{\{sha256 (\S+)\}\}/g, (_, archive) => sha256(archive));
  writeFileSync(join(folder, template), filled);
}
