import { js, OK, type ProgramCase, READY } from './program-case.js';

const go = (before: string): string => `package main

import (
	"log"
	"net"
	"net/http"
	"os"
)

func main() {
	addr := os.Getenv("WEB_PORT")
	if addr == "" {
		addr = ":PORT"
	}
	${before}
	_, _ = net.Dial, log.Fatal
	ok := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	log.Fatal(http.ListenAndServe(addr, ok))
}
`;
const DIAL = `if _, err := net.Dial("tcp", os.Getenv("DB_HOST")+":OTHER"); err != nil {
		log.Fatal(err)
	}`;
const BUILD = 'go build -o app app.go';
const START = 'sleep 9\nexec node app.js\n';
const live =
  'livenessProbe: {httpGet: {path: /, port: PORT}, periodSeconds: 1, failureThreshold: 7}';

/** Drawn from public threads on 2026-11-30, in the order in which a search gave them: what was wrong or had no advice at first. */
export const DRAWN: readonly ProgramCase[] = [
  {
    name: 'service-link-as-address',
    needs: ['go'],
    files: { 'app.go': go('') },
    build: BUILD,
    command: ['./app'],
    probes: `env: [{name: WEB_PORT, value: "tcp://10.96.0.9:80"}], ${READY}`,
    fault: { kind: 'crashed' },
    field: '"noServiceLink"',
    cure: { probes: READY },
  },
  {
    name: 'host-left-empty',
    needs: ['go'],
    files: { 'app.go': go(DIAL) },
    build: BUILD,
    command: ['./app'],
    probes: READY,
    fault: { kind: 'crashed' },
    field: '"setVariable"',
    cure: { files: { 'app.go': go('') }, build: BUILD },
  },
  {
    name: 'one-long-sleep',
    needs: ['sh', 'node'],
    files: { 'start.sh': START, 'app.js': OK },
    command: ['sh', 'start.sh'],
    probes: live,
    fault: { kind: 'notListening', program: 'nowhere' },
    field: '"addStartupProbe"',
    cure: { command: js },
  },
];
