import { answers, execs, js, JS_OK, node, OK, type ProgramCase, READY } from './program-case.js';

const SLEEPS = ['sleep', '1000'] as const;
const script = (text: string) => ({ files: { 'health.sh': text }, build: 'chmod +x health.sh' });
const postStart = (line: string): string =>
  `${READY}, lifecycle: {postStart: {exec: {command: [sh, -c, "${line}"]}}}`;
const PY = ['python3', 'app.py'] as const;
const SETTINGS = (text: string): string => `import os
class ValidationError(ValueError): pass
if 'REDIS_URL' not in os.environ:
    raise ValidationError(${JSON.stringify(text)})
import http.server
class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
http.server.HTTPServer(('0.0.0.0', PORT), Handler).serve_forever()
`;

/** Two more sets of unprepared faults of 2026-11-28: those of which kprobe said the wrong thing at first, or nothing that helps. */
export const UNSEEN: readonly ProgramCase[] = [
  {
    name: 'probe-script-without-interpreter',
    needs: ['sh'],
    ...script('#!/usr/local/bin/bash5\nexit 0\n'),
    command: SLEEPS,
    probes: execs('./health.sh'),
    fault: { kind: 'commandNotRunnable', lacks: 'interpreter' },
    field: '"interpreter"',
    cure: script('#!/bin/sh\nexit 0\n'),
  },
  {
    name: 'probe-script-with-crlf',
    needs: ['sh'],
    ...script('#!/usr/bin/env sh\r\nexit 0\r\n'),
    command: SLEEPS,
    probes: execs('./health.sh'),
    fault: { kind: 'commandNotRunnable', lacks: 'lineEnds' },
    field: '"lineEnds"',
    cure: script('#!/usr/bin/env sh\nexit 0\n'),
  },
  {
    name: 'exec-equals-of-bash',
    needs: ['dash'],
    command: SLEEPS,
    probes: execs('dash', '-c', '[ "$(echo ready)" == ready ]'),
    fault: { kind: 'bashOnly', word: '==' },
    field: '"runWithBash"',
    cure: { probes: execs('dash', '-c', '[ "$(echo ready)" = ready ]') },
  },
  {
    name: 'exec-variable-left-to-the-shell',
    needs: ['sh'],
    command: SLEEPS,
    probes: execs('sh', '-c', 'test $(READY_COUNT) -eq 3'),
    fault: { kind: 'leftToShell', name: 'READY_COUNT' },
    field: '"readInShell"',
    cure: {
      probes: `env: [{name: READY_COUNT, value: "3"}], ${execs('sh', '-c', 'test $(READY_COUNT) -eq 3')}`,
    },
  },
  {
    name: 'denied-for-a-missing-header',
    needs: ['node'],
    files: {
      'app.js': node(
        `s.statusCode = q.headers['x-health-token'] ? 200 : 403; s.end('{"error":"Forbidden","message":"Missing required header: X-Health-Token"}')`,
      ),
    },
    command: js,
    probes: READY,
    fault: { kind: 'forbidden' },
    field: '"name":"X-Health-Token"',
    cure: {
      probes: READY.replace(
        'port: PORT',
        'port: PORT, httpHeaders: [{name: X-Health-Token, value: a}]',
      ),
    },
  },
  {
    name: 'answer-lists-the-paths',
    needs: ['node'],
    files: {
      'app.js': node(
        `const ok = q.url === '/readyz' || q.url === '/livez'; s.statusCode = ok ? 200 : 404; s.end(ok ? '' : '{"message":"Cannot GET ' + q.url + '","routes":["GET /livez","GET /readyz"]}')`,
      ),
    },
    command: js,
    probes: READY,
    fault: { kind: 'notFound', listed: ['/readyz', '/livez'] },
    field: '"to":"/readyz"',
    cure: 'proven',
  },
  {
    name: 'too-many-requests-of-a-standby',
    needs: ['node'],
    files: { 'app.js': answers(429, '{"initialized":true,"sealed":false,"standby":true}') },
    command: js,
    probes: READY,
    fault: { kind: 'errorAnswer', text: 'initialized: true, sealed: false, standby: true' },
    field: 'readinessProbe.httpGet.path',
    cure: JS_OK,
  },
  {
    name: 'answer-names-an-unknown-authority',
    needs: ['node'],
    files: {
      'app.js': answers(
        500,
        '[-]oidc failed: Get "https://auth.internal/.well-known/openid-configuration": tls: failed to verify certificate: x509: certificate signed by unknown authority\n',
      ),
    },
    command: js,
    probes: READY,
    fault: { kind: 'dependencyDown', parts: ['oidc'] },
    field: '"trust"',
    cure: JS_OK,
  },
  {
    name: 'post-start-tool-missing',
    needs: ['node'],
    files: { 'app.js': OK },
    command: js,
    probes: postStart('no-such-tool -z 127.0.0.1 || exit 3'),
    fault: { kind: 'hookFailed', hook: 'postStart' },
    field: '"command":"no-such-tool"',
    cure: { probes: postStart('true || exit 3') },
  },
  {
    name: 'loop-whose-tool-is-missing',
    needs: ['sh', 'node'],
    files: {
      'app.js': OK,
      'start.sh':
        'until no-such-tool db; do echo waiting for db; sleep 1; done\nexec node app.js\n',
    },
    command: ['sh', './start.sh'],
    probes: READY,
    fault: { kind: 'notListening', program: 'nowhere' },
    field: '"command":"no-such-tool"',
    cure: { files: { 'app.js': OK, 'start.sh': 'exec node app.js\n' } },
  },
  {
    name: 'settings-lack-a-field',
    needs: ['python3'],
    files: {
      'app.py': SETTINGS(
        '1 validation error for Settings\nredis_url\n  Field required [type=missing, input_value={}, input_type=dict]',
      ),
    },
    command: PY,
    probes: READY,
    fault: {
      kind: 'crashed',
      text: 'ValidationError: 1 validation error for Settings: redis_url: Field required',
    },
    field: '"setVariable"',
    cure: { command: ['env', 'REDIS_URL=redis://cache', ...PY] },
  },
];
