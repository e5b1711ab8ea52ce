import { execs, js, node, OK, type ProgramCase, READY, readyAt } from './program-case.js';

const says = (status: number, body: string, headers = '{}'): string =>
  node(`s.writeHead(${status}, ${headers}); s.end(${JSON.stringify(body)})`);
const down = (...parts: readonly string[]) => ({ kind: 'dependencyDown', parts }) as const;
const answered = (
  name: string,
  status: number,
  body: string,
  fault: ProgramCase['fault'],
): ProgramCase => ({
  ...{ name, needs: ['node'], command: js, probes: READY, fault },
  files: { 'app.js': says(status, body) },
  cure: { files: { 'app.js': OK } },
});

const DJANGO = (more: string, view = "HttpResponse('ok')"): string => `import sys, types
from django.conf import settings
settings.configure(ROOT_URLCONF='urls', SECRET_KEY='x', MIDDLEWARE=['django.middleware.common.CommonMiddleware'], ${more})
from django.http import HttpResponse
from django.urls import path
def healthz(request):
    return ${view}
urls = types.ModuleType('urls')
urls.urlpatterns = [path('healthz/', healthz)]
sys.modules['urls'] = urls
from django.core.management import execute_from_command_line
execute_from_command_line(['app.py', 'runserver', '--noreload', '0.0.0.0:PORT'])
`;

/** What servers answer, and what commands say. */
export const ANSWERED: readonly ProgramCase[] = [
  {
    name: 'django-allowed-hosts',
    needs: ['django'],
    files: { 'app.py': DJANGO("ALLOWED_HOSTS=['shop.example'], DEBUG=True") },
    command: ['python3', 'app.py'],
    probes: readyAt('/healthz/'),
    fault: { kind: 'hostRejected', status: 400 },
    cure: { files: { 'app.py': DJANGO("ALLOWED_HOSTS=['*']") } },
  },
  {
    // Without DEBUG, nothing but the form of the page says why.
    name: 'django-allowed-hosts-silent',
    needs: ['django'],
    files: { 'app.py': DJANGO("ALLOWED_HOSTS=['shop.example']") },
    command: ['python3', 'app.py'],
    probes: readyAt('/healthz/'),
    fault: { kind: 'hostRejected', status: 400 },
    cure: { files: { 'app.py': DJANGO("ALLOWED_HOSTS=['*']") } },
  },
  {
    name: 'django-slash',
    needs: ['django'],
    files: { 'app.py': DJANGO("ALLOWED_HOSTS=['*'], APPEND_SLASH=False") },
    command: ['python3', 'app.py'],
    probes: READY,
    fault: { kind: 'notFound', path: '/healthz' },
    field: 'readinessProbe.httpGet.path',
    cure: 'proven',
  },
  {
    name: 'django-error-in-view',
    needs: ['django'],
    files: { 'app.py': DJANGO("ALLOWED_HOSTS=['*'], DEBUG=True", '{}["tenant"]') },
    command: ['python3', 'app.py'],
    probes: readyAt('/healthz/'),
    fault: { kind: 'errorAnswer', text: "KeyError at /healthz/: 'tenant'" },
    cure: { files: { 'app.py': DJANGO("ALLOWED_HOSTS=['*']") } },
  },
  {
    name: 'flask-error-in-view',
    needs: ['flask'],
    files: {
      'app.py':
        "from flask import Flask\nimport os\napp = Flask(__name__)\n@app.get('/healthz')\ndef ok():\n    return os.environ['TENANT_MISSING']\n",
    },
    command: ['python3', '-m', 'flask', '--app', 'app', 'run', '-h', '0.0.0.0', '-p', 'PORT'],
    probes: READY,
    fault: { kind: 'errorAnswer', text: "KeyError: 'TENANT_MISSING'" },
    cure: {
      files: {
        'app.py':
          "from flask import Flask\napp = Flask(__name__)\n@app.get('/healthz')\ndef ok():\n    return 'ok'\n",
      },
    },
  },
  answered(
    'vite-host',
    403,
    'Blocked request. This host ("127.0.0.1") is not allowed.\nTo allow this host, add "127.0.0.1" to `server.allowedHosts` in vite.config.js.',
    { kind: 'hostRejected' },
  ),
  answered('webpack-host', 403, 'Invalid Host header', { kind: 'hostRejected' }),
  answered(
    'micronaut-jdbc',
    503,
    '{"name":"shop","status":"DOWN","details":{"jdbc":{"name":"shop","status":"DOWN","details":{"error":"connection refused"}},"diskSpace":{"name":"shop","status":"UP"}}}',
    down('jdbc'),
  ),
  answered(
    'go-errors-by-part',
    503,
    '{"status":"Service Unavailable","errors":{"postgres":"dial tcp 10.0.0.5:5432: connect: connection refused"}}',
    down('postgres'),
  ),
  answered(
    'grafana-database',
    503,
    '{"commit":"1","database":"failing","version":"10.1"}',
    down('database'),
  ),
  answered(
    'vault-sealed',
    503,
    '{"initialized":true,"sealed":true,"standby":true,"version":"1.15"}',
    { kind: 'errorAnswer', text: 'initialized: true, sealed: true, standby: true' },
  ),
  answered('envoy-upstream', 503, 'no healthy upstream', {
    kind: 'errorAnswer',
    text: 'no healthy upstream',
  }),
  answered('aspnet-unhealthy', 503, 'Unhealthy', { kind: 'statusOnly' }),
  answered(
    'healthz-verbose',
    500,
    '[+]ping ok\n[+]log ok\n[-]etcd failed: reason withheld\n[+]poststarthook/start ok\nhealthz check failed\n',
    down('etcd'),
  ),
  answered(
    'list-of-checks',
    503,
    '{"ok":false,"checks":[{"name":"disk","ok":true},{"name":"smtp","ok":false,"message":"greeting timed out"}]}',
    down('smtp'),
  ),
  answered(
    'laravel-page',
    500,
    '<!DOCTYPE html><html lang="en"><head><title>Server Error</title></head><body><div>500</div><div>Server Error</div></body></html>',
    { kind: 'statusOnly' },
  ),
  answered(
    'tomcat-not-found',
    404,
    '<!doctype html><html lang="en"><head><title>HTTP Status 404 – Not Found</title></head><body><h1>HTTP Status 404 – Not Found</h1></body></html>',
    { kind: 'notFound' },
  ),
  answered('spring-security', 401, '', { kind: 'noCredentials', status: 401 }),
  {
    ...answered('content-type', 415, '{"error":"Unsupported Media Type"}', {
      kind: 'errorAnswer',
      text: 'Unsupported Media Type',
    }),
  },
  {
    name: 'exec-curl-missing',
    needs: ['sh', 'node'],
    files: { 'app.js': OK },
    command: js,
    probes: execs('sh', '-c', 'curl-missing -f http://127.0.0.1:PORT/healthz'),
    fault: { kind: 'commandMissing' },
    cure: { probes: READY },
  },
  {
    name: 'exec-no-file',
    needs: ['sh', 'node'],
    files: { 'app.js': OK },
    command: js,
    probes: execs('cat', '/var/kprobe-corpus-missing'),
    fault: {
      kind: 'commandFailed',
      text: 'cat: /var/kprobe-corpus-missing: No such file or directory',
    },
    cure: { probes: execs('true') },
  },
  {
    name: 'exec-binary-missing',
    needs: ['node'],
    files: { 'app.js': OK },
    command: js,
    probes: execs('grpc_health_probe_missing', '-addr=:PORT'),
    fault: { kind: 'commandMissing' },
    cure: { probes: READY },
  },
  {
    name: 'exec-slow',
    needs: ['sh', 'node'],
    files: { 'app.js': OK },
    command: js,
    probes: execs('sleep', '5'),
    fault: { kind: 'commandSlow' },
    cure: { probes: execs('true') },
  },
];
