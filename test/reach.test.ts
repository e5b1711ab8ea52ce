import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

import ts from 'typescript';
import { expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

/**
 * Lines of code that one has to carry: those of a file and of all files that it imports as values, whatever imports them
 * in between. Types and import() do not count.
 */
const LIMITS: readonly (readonly [file: string, lines: number])[] = [
  ['commands/run/run-command.ts', 22_000],
  ['commands/once/once-command.ts', 9000],
  ['kubelet/kubelet.ts', 8500],
];

/** The files that a file imports as values. */
function valueImports(path: string, text: string): readonly string[] {
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return [];
    if (isOnlyTypes(statement) || !moduleSpecifier.text.startsWith('.')) return [];
    const target = join(dirname(path), moduleSpecifier.text);
    return target.startsWith(SRC) ? [target.replace(/\.js$/, '.ts')] : [];
  });
}

function isOnlyTypes(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause, isTypeOnly } = statement;
    const names = exportClause && ts.isNamedExports(exportClause) ? exportClause.elements : [];
    return isTypeOnly || (names.length > 0 && names.every((name) => name.isTypeOnly));
  }
  const { importClause } = statement;
  if (importClause === undefined) return false;
  const { name, namedBindings } = importClause;
  const names = namedBindings && ts.isNamedImports(namedBindings) ? namedBindings.elements : [];
  const areTypes = name === undefined && names.length > 0 && names.every((each) => each.isTypeOnly);
  return importClause.phaseModifier === ts.SyntaxKind.TypeKeyword || areTypes;
}

function reach(entry: string): { readonly lines: number; readonly files: number } {
  const known = new Map<string, number>();
  const visit = (path: string): void => {
    if (known.has(path)) return;
    const text = readFileSync(path, 'utf8');
    known.set(path, text.split('\n').length - 1);
    valueImports(path, text).forEach(visit);
  };
  visit(join(SRC, entry));
  return { lines: [...known.values()].reduce((sum, lines) => sum + lines, 0), files: known.size };
}

it.each(LIMITS)('%s carries at most %i lines', (file, limit) => {
  const { lines, files } = reach(file);
  process.stdout.write(`${relative('.', join('src', file))}: ${lines} lines in ${files} files\n`);
  expect(lines).toBeLessThanOrEqual(limit);
});
