// Prints what is bundled in dist/ as a software bill of materials (CycloneDX): the packages of third-party-licenses.txt, as npm
// describes them. Given an executable (`build/kprobe`), also the Node in it.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');

const licenses = readFileSync(resolve(ROOT, 'dist/third-party-licenses.txt'), 'utf8');
const bundled = new Set(
  [...licenses.matchAll(/^(\S+) (\d\S*) \(.+\)$/gm)].map(
    ([, name, version]) => `${name}@${version}`,
  ),
);

const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
const npm = execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 });
const sbom = JSON.parse(npm);
const product = sbom.metadata.component;
product.name = 'kprobe';

// What is a development dependency for npm is a part of the program.
sbom.components = sbom.components
  .filter((component) => bundled.has(component['bom-ref']))
  .map((component) => ({
    ...component,
    scope: 'required',
    properties: component.properties.filter(({ name }) => name !== 'cdx:npm:package:development'),
  }));
sbom.dependencies = sbom.dependencies
  .filter(({ ref }) => bundled.has(ref) || ref === product['bom-ref'])
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => bundled.has(on)) }));

const [executable] = process.argv.slice(2);
if (executable !== undefined) {
  const { node } = JSON.parse(
    execFileSync(resolve(executable), ['version', '-o', 'json'], { encoding: 'utf8' }),
  );
  const version = node.replace(/^v/, '');
  const ref = `node@${version}`;
  const purl = `pkg:generic/${ref}`;
  sbom.components.push({ 'bom-ref': ref, type: 'platform', name: 'node', version, purl });
  sbom.dependencies.find((each) => each.ref === product['bom-ref'])?.dependsOn.push(ref);
  sbom.dependencies.push({ ref, dependsOn: [] });
}

process.stdout.write(`${JSON.stringify(sbom, null, 2)}\n`);
