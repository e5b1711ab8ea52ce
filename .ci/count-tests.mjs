// Prints how many tests of a vitest JSON report passed, and how many did not: `PASSED FAILED`. Those that did not are
// named on stderr.
import { readFileSync } from 'node:fs';

const [, , path, status] = process.argv;

function count() {
  try {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    const passed = report.numPassedTests;
    const broken = report.testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    );
    const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
    for (const { fullName, failureMessages } of tests.filter(({ status }) => status !== 'passed')) {
      process.stderr.write(`FAILED: ${fullName}\n${firstLines(failureMessages ?? [])}`);
    }
    for (const { name, message } of broken) {
      process.stderr.write(`FAILED: ${name}\n${firstLines([message])}`);
    }
    return { passed, failed: report.numTotalTests - passed + broken.length };
  } catch {
    return { passed: 0, failed: 0 };
  }
}

function firstLines(messages) {
  return messages.map((text) => `    ${text.split('\n').slice(0, 6).join('\n    ')}\n`).join('');
}

const { passed, failed } = count();
// A run that failed without a failed test, or that ran none, has failed all the same.
const missing = failed === 0 && (status !== '0' || passed === 0) ? 1 : 0;
process.stdout.write(`${passed} ${failed + missing}\n`);
