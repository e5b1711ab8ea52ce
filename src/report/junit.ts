import { xmlAttributes, xmlElement } from '../text/xml.js';

export interface JunitCase {
  readonly classname: string;
  readonly name: string;
  /** Seconds. */
  readonly time: number;
  readonly problem?: {
    readonly kind: 'failure' | 'error';
    readonly type?: string;
    readonly message: string;
    readonly text: string;
  };
  readonly output?: string;
  /** The reason why the case was not run. */
  readonly skipped?: string;
}

export function junitXml(suite: string, cases: readonly JunitCase[]): string {
  return junitSuites(suite, [{ name: suite, cases }]);
}

export function junitSuites(
  name: string,
  suites: readonly { readonly name: string; readonly cases: readonly JunitCase[] }[],
  output?: string,
): string {
  const all = suites.flatMap(({ cases }) => cases);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${totalsOf(name, all)}>`,
    ...suites.flatMap((suite) => [
      `  <testsuite${totalsOf(suite.name, suite.cases)}>`,
      ...suite.cases.flatMap(caseLines),
      ...(output === undefined ? [] : [`    ${xmlElement('system-out', {}, output)}`]),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function totalsOf(name: string, cases: readonly JunitCase[]): string {
  const count = (kind: string): number =>
    cases.filter(({ problem }) => problem?.kind === kind).length;
  const skipped = cases.filter((each) => each.skipped !== undefined).length;
  return xmlAttributes({
    name,
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    ...(skipped > 0 && { skipped }),
    time: Math.max(0, ...cases.map(({ time }) => time)).toFixed(3),
  });
}

function caseLines({ classname, name, time, problem, output, skipped }: JunitCase): string[] {
  const open = `    <testcase${xmlAttributes({ classname, name, time: time.toFixed(3) })}`;
  const children: string[] = [];
  if (problem !== undefined) {
    const { kind, type, message, text } = problem;
    const attributes = { ...(type !== undefined && { type }), message };
    children.push(`      ${xmlElement(kind, attributes, text)}`);
  }
  if (skipped !== undefined)
    children.push(`      <skipped${xmlAttributes({ message: skipped })}/>`);
  if (output !== undefined) children.push(`      ${xmlElement('system-out', {}, output)}`);
  return children.length === 0 ? [`${open}/>`] : [`${open}>`, ...children, '    </testcase>'];
}
