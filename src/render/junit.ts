import { xmlAttributes, xmlElement } from './text/xml.js';

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
}

export function junitXml(suite: string, cases: readonly JunitCase[]): string {
  const count = (kind: string): number =>
    cases.filter(({ problem }) => problem?.kind === kind).length;
  const totals = xmlAttributes({
    name: suite,
    tests: cases.length,
    failures: count('failure'),
    errors: count('error'),
    time: Math.max(0, ...cases.map(({ time }) => time)).toFixed(3),
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${totals}>`,
    `  <testsuite${totals}>`,
    ...cases.flatMap(caseLines),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseLines({ classname, name, time, problem, output }: JunitCase): string[] {
  const open = `    <testcase${xmlAttributes({ classname, name, time: time.toFixed(3) })}`;
  const children: string[] = [];
  if (problem !== undefined) {
    const { kind, type, message, text } = problem;
    const attributes = { ...(type !== undefined && { type }), message };
    children.push(`      ${xmlElement(kind, attributes, text)}`);
  }
  if (output !== undefined) children.push(`      ${xmlElement('system-out', {}, output)}`);
  return children.length === 0 ? [`${open}/>`] : [`${open}>`, ...children, '    </testcase>'];
}
