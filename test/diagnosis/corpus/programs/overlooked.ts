import { execs, js, JS_OK, node, type ProgramCase, READY, readyAt } from './program-case.js';

const STANDBY = `{"initialized":true,"sealed":false,"standby":true}`;
const C = `#include <assert.h>
#include <stdlib.h>
int main() { assert(getenv("SHOP_FILE") != 0); execlp("node", "node", "app.js", (char *) 0); }
`;
const only = (path: string): string => `s.statusCode = q.url === '${path}' ? 200 : 404; s.end()`;

/** An unprepared set of 2026-11-29: faults whose advice was wrong at first, or that had no cause or no advice that helps. */
export const OVERLOOKED: readonly ProgramCase[] = [
  {
    name: 'management-port',
    needs: ['node'],
    files: { 'app.js': node(only('/shop')) + node(only('/healthz'), 'listen(OTHER)') },
    command: js,
    probes: READY,
    fault: { kind: 'notFound', path: '/healthz' },
    field: 'httpGet.port',
    cure: 'proven',
  },
  {
    name: 'vault-performance-standby',
    needs: ['node'],
    files: {
      'app.js': node(
        `s.statusCode = q.url.includes('perfstandbyok') ? 200 : 473; s.end('${STANDBY}')`,
      ),
    },
    command: js,
    probes: readyAt('/v1/sys/health'),
    fault: { kind: 'errorAnswer' },
    field: 'perfstandbyok',
    cure: 'proven',
  },
  {
    name: 'exec-asks-another-port',
    needs: ['node', 'sh'],
    files: JS_OK.files,
    command: js,
    probes: execs('bash', '-c', 'echo > /dev/tcp/127.0.0.1/OTHER'),
    fault: { kind: 'wrongPort' },
    field: 'readinessProbe.exec.command',
    cure: { probes: execs('bash', '-c', 'echo > /dev/tcp/127.0.0.1/PORT') },
  },
  {
    name: 'c-assertion',
    needs: ['gcc', 'node'],
    files: { 'main.c': C, ...JS_OK.files },
    build: 'gcc -w -o app main.c',
    command: ['./app'],
    probes: READY,
    fault: {
      kind: 'crashed',
      text: `Assertion \`getenv("SHOP_FILE") != 0' failed`,
      at: 'main.c:3',
    },
    field: '"fixError"',
    cure: { command: ['env', 'SHOP_FILE=a', './app'] },
  },
  {
    name: 'rust-variable-missing',
    needs: ['rustc', 'node'],
    files: {
      'main.rs': `use std::os::unix::process::CommandExt;
fn main() {
    std::env::var("SHOP_URL").unwrap();
    panic!("{}", std::process::Command::new("node").arg("app.js").exec());
}
`,
      ...JS_OK.files,
    },
    build: 'rustc -o app main.rs',
    command: ['./app'],
    probes: READY,
    fault: { kind: 'crashed' },
    field: '"setVariable"',
    cure: { command: ['env', 'SHOP_URL=a', './app'] },
  },
];
