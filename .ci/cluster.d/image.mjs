// image.mjs NAME OUT COMMAND FILE:PATH…  writes an image of one layer as `docker save` does; @TARGET:PATH is a symbolic link.
// Its PATH is /bin, and its containers can write to /tmp.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const [, , name, out, command, ...files] = process.argv;
const BLOCK = 512;
const FILE = '0';
const SYMLINK = '2';
const FOLDER = '5';

/** One entry of a ustar archive: a header and its padded data. */
function entry(path, { type = FILE, mode = 0o644, target = '', data = Buffer.alloc(0) }) {
  const header = Buffer.alloc(BLOCK);
  const octal = (value, width) => value.toString(8).padStart(width - 1, '0') + '\0';
  const fields = [
    [0, path],
    [100, octal(mode, 8)],
    [108, octal(0, 8)],
    [116, octal(0, 8)],
    [124, octal(data.length, 12)],
    [136, octal(0, 12)],
    [148, ' '.repeat(8)],
    [156, type],
    [157, target],
    [257, 'ustar\x0000'],
  ];
  for (const [offset, text] of fields) header.write(text, offset, 'latin1');
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(sum.toString(8).padStart(6, '0') + '\0 ', 148, 'latin1');
  return Buffer.concat([header, data, Buffer.alloc((BLOCK - (data.length % BLOCK)) % BLOCK)]);
}

function archive(entries) {
  return Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]);
}

function layerEntry(pair) {
  const colon = pair.indexOf(':');
  const [source, path] = [pair.slice(0, colon), pair.slice(colon + 1)];
  return source.startsWith('@')
    ? entry(path, { type: SYMLINK, mode: 0o777, target: source.slice(1) })
    : entry(path, { mode: 0o755, data: readFileSync(source) });
}

const sha256 = (data) => createHash('sha256').update(data).digest('hex');

const folders = ['bin', 'dev', 'etc', 'proc', 'sys', 'tmp'].map((path) =>
  entry(`${path}/`, { type: FOLDER, mode: path === 'tmp' ? 0o1777 : 0o755 }),
);
const layer = archive([...folders, ...files.map(layerEntry)]);
const digest = sha256(layer);
const config = Buffer.from(
  JSON.stringify({
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: { Env: ['PATH=/bin'], Cmd: command.split(' ') },
    rootfs: { type: 'layers', diff_ids: [`sha256:${digest}`] },
  }),
);
const manifest = [
  { Config: `${sha256(config)}.json`, RepoTags: [name], Layers: [`${digest}/layer.tar`] },
];
writeFileSync(
  out,
  archive([
    entry(manifest[0].Config, { data: config }),
    entry(manifest[0].Layers[0], { data: layer }),
    entry('manifest.json', { data: Buffer.from(JSON.stringify(manifest)) }),
  ]),
);
