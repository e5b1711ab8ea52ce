import { js, OK, type ProgramCase, READY } from './program-case.js';

const FLASK =
  "from flask import Flask\napp = Flask(__name__)\n@app.get('/healthz')\ndef ok():\n    return 'ok'\n";
const GUNICORN = ['python3', '-m', 'gunicorn', '-b', '0.0.0.0:PORT', 'app:app'] as const;
const ASGI = `async def app(scope, receive, send):
    if scope['type'] == 'lifespan':
        await receive()
        START
        await send({'type': 'lifespan.startup.complete'})
        return
    await send({'type': 'http.response.start', 'status': 200, 'headers': []})
    await send({'type': 'http.response.body', 'body': b'ok'})
`;
const UVICORN = ['python3', '-m', 'uvicorn', '--host', '0.0.0.0', '--port', 'PORT'] as const;
const GO = `package main

import (
	"log"
	"net/http"
)

var seen map[string]int

func main() {
	BEFORE
	http.HandleFunc("/healthz", func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("ok")) })
	log.Fatal(http.ListenAndServe(":PORT", nil))
}
`;
const go = (before: string): string => GO.replace('BEFORE', before);
const BUILD_GO = 'go build -o app app.go';
const SERVER_RS = `use std::io::{Read, Write};
fn serve() {
    let listener = std::net::TcpListener::bind("0.0.0.0:PORT").unwrap();
    for stream in listener.incoming() {
        let mut stream = stream.unwrap();
        let _ = stream.read(&mut [0; 2048]);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nConnection: close\\r\\n\\r\\nok");
    }
}
`;
const BUILD_RS = 'rustc -o app app.rs 2>/dev/null';
const JAVA = (before: string): string => `import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
public class App {
  static int depth(int n) { return depth(n + 1) + 1; }
  public static void main(String[] args) throws Exception {
    ${before}
    HttpServer server = HttpServer.create(new InetSocketAddress(PORT), 0);
    server.createContext("/healthz", e -> { e.sendResponseHeaders(200, 2); e.getResponseBody().write("ok".getBytes()); e.close(); });
    server.start();
  }
}
`;
const JAVA_RUN = ['java', 'App.java'] as const;
const RUBY = (before: string): string => `require 'socket'
${before}
server = TCPServer.new('0.0.0.0', PORT)
loop do
  client = server.accept
  client.gets
  client.write "HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nConnection: close\\r\\n\\r\\nok"
  client.close
end
`;
const NGINX = (more: string): string => `error_log stderr;
pid nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path .; proxy_temp_path .; fastcgi_temp_path .; uwsgi_temp_path .; scgi_temp_path .;
  server { listen PORT; ${more} location /healthz { return 200 ok; } }
}
`;
const nginx = (more = 'daemon off;') =>
  ['nginx', '-p', '.', '-c', 'nginx.conf', '-g', more] as const;
const crashed = (text: string, at?: string) =>
  ({ kind: 'crashed', text, ...(at !== undefined && { at }) }) as const;

/** Programs that end. */
export const CRASHED: readonly ProgramCase[] = [
  {
    name: 'gunicorn-import',
    needs: ['flask', 'gunicorn'],
    files: { 'app.py': `import redis_missing\n${FLASK}` },
    command: GUNICORN,
    probes: READY,
    fault: crashed("ModuleNotFoundError: No module named 'redis_missing'", 'app.py:1'),
    cure: { files: { 'app.py': FLASK } },
  },
  {
    name: 'gunicorn-attribute',
    needs: ['flask', 'gunicorn'],
    files: { 'app.py': FLASK.replaceAll('app', 'web') },
    command: GUNICORN,
    probes: READY,
    fault: crashed("Failed to find attribute 'app' in 'app'."),
    cure: { files: { 'app.py': FLASK } },
  },
  {
    name: 'uvicorn-module',
    needs: ['uvicorn'],
    files: { 'app.py': ASGI.replace('START', 'pass') },
    command: [...UVICORN, 'main:app'],
    probes: READY,
    fault: crashed('Error loading ASGI app. Could not import module "main".'),
    cure: { command: [...UVICORN, 'app:app'] },
  },
  {
    name: 'uvicorn-lifespan',
    needs: ['uvicorn'],
    files: { 'app.py': ASGI.replace('START', "raise RuntimeError('no broker at amqp://queue')") },
    command: [...UVICORN, 'app:app', '--lifespan', 'on'],
    probes: READY,
    fault: crashed('RuntimeError: no broker at amqp://queue'),
    cure: { files: { 'app.py': ASGI.replace('START', 'pass') } },
  },
  {
    name: 'django-secret-key',
    needs: ['django'],
    files: {
      'app.py':
        "from django.conf import settings\nsettings.configure(ROOT_URLCONF='app', ALLOWED_HOSTS=['*'])\nurlpatterns = []\nprint(settings.SECRET_KEY)\n",
    },
    command: ['python3', 'app.py'],
    probes: READY,
    fault: crashed(
      'django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty.',
    ),
    cure: {
      command: ['python3', '-m', 'http.server', 'PORT'],
      probes: READY.replace('/healthz', '/'),
    },
  },
  {
    name: 'python-port-taken',
    needs: ['python3'],
    beside: ['python3', '-m', 'http.server', 'OTHER'],
    command: ['python3', '-m', 'http.server', 'OTHER'],
    probes: READY.replace('/healthz', '/'),
    fault: { kind: 'portTaken' },
    cure: { alone: true, command: ['python3', '-m', 'http.server', 'PORT'] },
  },
  {
    name: 'node-port-taken',
    needs: ['node', 'python3'],
    files: { 'app.js': OK.replace('PORT', 'OTHER') },
    beside: ['python3', '-m', 'http.server', 'OTHER'],
    command: js,
    probes: READY,
    fault: { kind: 'portTaken' },
    cure: { alone: true, files: { 'app.js': OK } },
  },
  {
    name: 'node-import-statement',
    needs: ['node'],
    files: { 'app.cjs': `import http from 'node:http';\n${OK}` },
    command: ['node', 'app.cjs'],
    probes: READY,
    fault: crashed('SyntaxError: Cannot use import statement outside a module', 'app.cjs:1'),
    cure: { files: { 'app.cjs': OK } },
  },
  {
    name: 'node-esm-package',
    needs: ['node'],
    files: { 'app.mjs': `import express from 'express-missing';\n` },
    command: ['node', 'app.mjs'],
    probes: READY,
    fault: { kind: 'crashed' },
    cure: { files: { 'app.js': OK }, command: js },
  },
  {
    name: 'node-heap',
    needs: ['node'],
    files: { 'app.js': 'const a = [];\nfor (;;) a.push(new Array(1000).fill(a.length));\n' },
    command: ['node', '--max-old-space-size=20', 'app.js'],
    probes: READY,
    fault: { kind: 'outOfMemory', by: 'program' },
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'node-type-error-after-ready',
    needs: ['node'],
    files: { 'app.js': `setTimeout(() => { const user = undefined; user.name; }, 1500);\n${OK}` },
    command: js,
    probes: READY,
    fault: crashed("TypeError: Cannot read properties of undefined (reading 'name')", 'app.js:1'),
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'go-nil-map',
    needs: ['go'],
    files: { 'app.go': go('seen["a"] = 1') },
    build: BUILD_GO,
    command: ['./app'],
    probes: READY,
    fault: crashed('panic: assignment to entry in nil map', 'app.go:11'),
    cure: { files: { 'app.go': go('seen = map[string]int{"a": 1}') } },
  },
  {
    name: 'go-fatal',
    needs: ['go'],
    files: { 'app.go': go('if len(seen) == 0 { log.Fatal("config: DATABASE_URL is not set") }') },
    build: BUILD_GO,
    command: ['./app'],
    probes: READY,
    fault: crashed('config: DATABASE_URL is not set'),
    cure: { files: { 'app.go': go('') } },
  },
  {
    name: 'go-waits-forever',
    needs: ['go'],
    files: { 'app.go': go('if seen == nil { <-make(chan int) }') },
    build: BUILD_GO,
    command: ['./app'],
    probes: READY,
    // Go finds no deadlock where a network poller runs.
    fault: { kind: 'notListening', program: 'nowhere' },
    cure: { files: { 'app.go': go('') } },
  },
  {
    name: 'go-port-taken',
    needs: ['go', 'python3'],
    files: { 'app.go': go('').replace('PORT', 'OTHER') },
    build: BUILD_GO,
    beside: ['python3', '-m', 'http.server', 'OTHER'],
    command: ['./app'],
    probes: READY,
    fault: { kind: 'portTaken' },
    cure: { alone: true, files: { 'app.go': go('') } },
  },
  {
    name: 'rust-unwrap',
    needs: ['rustc'],
    files: {
      'app.rs': `${SERVER_RS}fn main() { let c = std::fs::read_to_string("config.toml").unwrap(); println!("{}", c); serve(); }\n`,
    },
    build: BUILD_RS,
    command: ['./app'],
    probes: READY,
    fault: { kind: 'crashed', at: 'app.rs:10:60' },
    cure: { files: { 'app.rs': `${SERVER_RS}fn main() { serve(); }\n` } },
  },
  {
    name: 'rust-error-of-main',
    needs: ['rustc'],
    files: {
      'app.rs': `${SERVER_RS}fn main() -> Result<(), String> { if std::env::args().count() == 1 { return Err("no DATABASE_URL".into()); } serve(); Ok(()) }\n`,
    },
    build: BUILD_RS,
    command: ['./app'],
    probes: READY,
    fault: crashed('Error: "no DATABASE_URL"'),
    cure: { command: ['./app', 'x'] },
  },
  {
    name: 'java-main-class',
    needs: ['java'],
    command: ['java', 'com.example.Main'],
    probes: READY,
    fault: crashed('java.lang.ClassNotFoundException: com.example.Main'),
    cure: { files: { 'App.java': JAVA('') }, command: JAVA_RUN },
  },
  {
    name: 'java-jar',
    needs: ['java'],
    command: ['java', '-jar', 'app.jar'],
    probes: READY,
    fault: crashed('Error: Unable to access jarfile app.jar'),
    cure: { files: { 'App.java': JAVA('') }, command: JAVA_RUN },
  },
  {
    name: 'java-port-taken',
    needs: ['java', 'python3'],
    files: { 'App.java': JAVA('').replace('PORT', 'OTHER') },
    beside: ['python3', '-m', 'http.server', 'OTHER'],
    command: JAVA_RUN,
    probes: READY,
    fault: { kind: 'portTaken' },
    cure: { alone: true, files: { 'App.java': JAVA('') } },
  },
  {
    name: 'java-stack',
    needs: ['java'],
    files: { 'App.java': JAVA('depth(0);') },
    command: JAVA_RUN,
    probes: READY,
    fault: crashed('java.lang.StackOverflowError', 'App.java:4'),
    cure: { files: { 'App.java': JAVA('') } },
  },
  {
    name: 'ruby-nil',
    needs: ['ruby'],
    files: { 'app.rb': RUBY('ENV["DATABASE_URL_MISSING"].split("/")') },
    command: ['ruby', 'app.rb'],
    probes: READY,
    fault: { kind: 'crashed', at: 'app.rb:2' },
    cure: { files: { 'app.rb': RUBY('') } },
  },
  {
    name: 'ruby-port-taken',
    needs: ['ruby', 'python3'],
    files: { 'app.rb': RUBY('').replace('PORT', 'OTHER') },
    beside: ['python3', '-m', 'http.server', 'OTHER'],
    command: ['ruby', 'app.rb'],
    probes: READY,
    fault: { kind: 'portTaken' },
    cure: { alone: true, files: { 'app.rb': RUBY('') } },
  },
  {
    name: 'nginx-daemon',
    needs: ['nginx'],
    files: { 'nginx.conf': NGINX('') },
    command: nginx('daemon on;'),
    probes: READY,
    fault: { kind: 'daemonized' },
    cure: { command: nginx() },
  },
  {
    name: 'nginx-upstream',
    needs: ['nginx'],
    files: { 'nginx.conf': NGINX('location / { proxy_pass http://api.invalid:8080; }') },
    command: nginx(),
    probes: READY,
    fault: {
      kind: 'crashed',
      text: 'host not found in upstream "api.invalid"',
      at: 'nginx.conf:7',
    },
    cure: { files: { 'nginx.conf': NGINX('') } },
  },
  {
    name: 'nginx-port-taken',
    needs: ['nginx', 'python3'],
    files: { 'nginx.conf': NGINX('').replace('PORT', 'OTHER') },
    beside: ['python3', '-m', 'http.server', 'OTHER'],
    command: nginx(),
    probes: READY,
    fault: { kind: 'portTaken' },
    cure: { alone: true, files: { 'nginx.conf': NGINX('') } },
  },
  {
    name: 'script-with-crlf',
    needs: ['sh'],
    files: { 'run.sh': '#!/usr/bin/env bash\r\necho started\r\n' },
    build: 'chmod +x run.sh',
    command: ['./run.sh'],
    probes: READY,
    fault: { kind: 'crashed' },
    cure: {
      files: { 'run.sh': '#!/usr/bin/env bash\nexec python3 -m http.server PORT\n' },
      probes: READY.replace('/healthz', '/'),
    },
  },
  {
    name: 'script-not-executable',
    needs: ['sh'],
    files: { 'run.sh': '#!/bin/sh\nexec python3 -m http.server PORT\n' },
    command: ['sh', '-c', './run.sh'],
    probes: READY.replace('/healthz', '/'),
    fault: crashed('sh: 1: ./run.sh: Permission denied'),
    cure: { build: 'chmod +x run.sh' },
  },
  {
    name: 'exits-0',
    needs: ['node'],
    files: {
      'app.js': `const s = ${OK.trim().replace(/;$/, '')};\nsetTimeout(() => s.close(), 1500);\n`,
    },
    command: js,
    probes: READY,
    fault: { kind: 'completed', mustRun: true },
    cure: { files: { 'app.js': OK } },
  },
  {
    name: 'python-double-fork',
    needs: ['python3'],
    files: {
      'app.py':
        'import os, http.server\nif os.fork(): os._exit(0)\nos.setsid()\nhttp.server.HTTPServer(("0.0.0.0", PORT), http.server.SimpleHTTPRequestHandler).serve_forever()\n',
    },
    command: ['python3', 'app.py'],
    probes: READY.replace('/healthz', '/'),
    fault: { kind: 'daemonized' },
    cure: { command: ['python3', '-m', 'http.server', 'PORT'] },
  },
  {
    name: 'segmentation-fault',
    needs: ['python3'],
    files: { 'app.py': 'import ctypes, time\ntime.sleep(0.5)\nctypes.string_at(0)\n' },
    command: ['python3', 'app.py'],
    probes: READY,
    fault: { kind: 'signalled', signal: 'SEGV' },
    cure: { files: { 'app.js': OK }, command: js },
  },
];
