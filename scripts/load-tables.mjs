import { readFileSync } from 'node:fs';

/**
 * Returns the field tables of src/api/schema: JSON name → Go type for each struct, with the inlined structs under the
 * empty name, and a text for a type that stands for another.
 */
export function loadTables() {
  const texts = ['tables', 'scenario-tables'].map((name) => {
    const url = new URL(`../src/api/schema/${name}.ts`, import.meta.url);
    return /_TABLES = `([^`]*)`/.exec(readFileSync(url, 'utf8'))[1];
  });
  const lines = texts.join('').replace(/\n +/g, ' ').split('\n');
  return Object.fromEntries(lines.filter((line) => line !== '').map(parseLine));
}

function parseLine(line) {
  const [, name, alias, list = ''] = /^(\w+)(?: = (.*)|:(.*))$/.exec(line);
  if (alias !== undefined) return [name, alias];
  const members = list
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  const fields = Object.fromEntries(
    members.filter((member) => member.includes(' ')).map((member) => member.split(' ')),
  );
  const inlined = members.filter((member) => !member.includes(' '));
  return [name, inlined.length === 0 ? fields : { '': inlined.join(' '), ...fields }];
}
