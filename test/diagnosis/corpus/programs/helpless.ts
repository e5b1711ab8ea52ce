import { execs, js, OK, type ProgramCase, READY } from './program-case.js';

const PY = ['python3', 'app.py'] as const;
const go = (listen: string): string => `package main

import (
	"flag"
	"net/http"
)

func main() {
	flag.Int("port", 8080, "port")
	flag.Parse()
	${listen}
}
`;
const rust = (address: string): string => `use std::net::{SocketAddr, TcpListener};
fn main() {
    let address: SocketAddr = std::env::var("BIND").unwrap_or("${address}".into()).parse().unwrap();
    for _ in TcpListener::bind(address).unwrap().incoming() {}
}
`;

/** An unprepared set of 2026-11-28: faults whose advice was wrong at first, or that had a cause and no advice that helps. */
export const HELPLESS: readonly ProgramCase[] = [
  {
    name: 'go-unknown-flag',
    needs: ['go'],
    files: {
      'main.go': go(
        'http.ListenAndServe(":PORT", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))',
      ),
    },
    build: 'go build -o app main.go',
    command: ['./app', '--listen-port', 'PORT'],
    probes: READY,
    fault: { kind: 'crashed', text: 'flag provided but not defined: -listen-port' },
    field: '"args"',
    cure: { command: ['./app', '--port', 'PORT'] },
  },
  {
    name: 'license-expired',
    needs: ['python3', 'node'],
    files: {
      'app.js': OK,
      'app.py': `import sys
print('2026-11-28 10:00:00 ERROR LicenseManager - License expired on 2026-10-31. Contact sales', flush=True)
sys.exit(3)
`,
    },
    command: PY,
    probes: READY,
    fault: { kind: 'crashed' },
    field: '"license"',
    cure: { command: js },
  },
  {
    name: 'heartbeat-that-gets-old',
    needs: ['sh'],
    command: ['sh', '-c', 'touch beat; exec sleep 1000'],
    probes: execs('sh', '-c', 'test $(($(date +%s) - $(stat -c %Y beat))) -lt 4'),
    fault: { kind: 'commandFailed' },
    field: '"worked"',
    cure: { command: ['sh', '-c', 'while touch beat; do sleep 1; done'] },
  },
  {
    name: 'rust-address-without-port',
    needs: ['rustc'],
    files: { 'main.rs': rust('0.0.0.0') },
    build: 'rustc -o app main.rs',
    command: ['./app'],
    probes: 'readinessProbe: {tcpSocket: {port: PORT}, periodSeconds: 1}',
    fault: { kind: 'crashed' },
    field: '"value"',
    cure: { command: ['env', 'BIND=0.0.0.0:PORT', './app'] },
  },
];
