// Writes src/api/validation/time-zones.ts from the time zones that Go ships:
//
//     node scripts/generate-time-zones.mjs "$(go env GOROOT)/lib/time/zoneinfo.zip"
import { readFileSync, writeFileSync } from 'node:fs';

const [archive] = process.argv.slice(2);
if (archive === undefined) throw new Error('usage: generate-time-zones.mjs ZONEINFO_ZIP');

/** The names in a ZIP file, out of its central directory. */
function namesIn(bytes) {
  const names = [];
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = bytes.readUInt32LE(end + 16);
  while (bytes.toString('latin1', at, at + 4) === 'PK\x01\x02') {
    const [name, extra, comment] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field));
    names.push(bytes.toString('utf8', at + 46, at + 46 + name));
    at += 46 + name + extra + comment;
  }
  return names;
}

const zones = namesIn(readFileSync(archive)).filter((name) => !name.endsWith('/'));
const lines = zones.sort().reduce(
  (lines, zone) => {
    const last = lines.at(-1);
    if (last.length + zone.length > 90) return [...lines, zone];
    return [...lines.slice(0, -1), last === '' ? zone : `${last} ${zone}`];
  },
  [''],
);
writeFileSync(
  new URL('../src/api/validation/time-zones.ts', import.meta.url),
  `// Written by scripts/generate-time-zones.mjs.

/** The names of the time zones that Go knows, links included. */
export const TIME_ZONES: ReadonlySet<string> = new Set(
  \`
${lines.join('\n')}
\`
    .trim()
    .split(/\\s/),
);
`,
);
