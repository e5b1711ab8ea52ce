import { expect, it } from 'vitest';

import { badState, readAnswer } from '../../src/diagnosis/answer.js';

/** Answers with status 200: of known servers and public programs, and states whose names begin as a bad one. */
const GOOD: readonly (readonly [string, string])[] = [
  ['Spring Boot', '{"status":"UP"}'],
  ['Spring Boot, unknown', '{"status":"UNKNOWN"}'],
  [
    'Spring Boot, a part that does not count',
    '{"status":"UP","components":{"redis":{"status":"DOWN"}}}',
  ],
  ['Quarkus', '{"status":"UP","checks":[]}'],
  ['Helidon', '{"outcome":"UP","status":"UP","checks":[{"name":"disk","state":"UP"}]}'],
  ['NestJS', '{"status":"ok","info":{},"error":{},"details":{}}'],
  ['.NET', '{"status":"Healthy","results":{}}'],
  ['.NET, degraded', '{"status":"Degraded","results":{"cache":{"status":"Unhealthy"}}}'],
  ['the health format of the IETF', '{"status":"pass","checks":{}}'],
  ['the same with a warning', '{"status":"warn","checks":{"mem":[{"status":"fail"}]}}'],
  ['Apollo Server', '{"status":"pass"}'],
  ['Keycloak', '{"status":"UP","checks":[{"name":"connections","status":"UP"}]}'],
  ['Meilisearch', '{"status":"available"}'],
  ['InfluxDB', '{"name":"influxdb","message":"ready for queries","status":"pass","checks":[]}'],
  ['Elasticsearch', '{"cluster_name":"logs","status":"yellow","timed_out":false}'],
  ['Elasticsearch, red', '{"cluster_name":"logs","status":"red","timed_out":false}'],
  ['Grafana', '{"commit":"a1b2","database":"ok","version":"11.0.0"}'],
  ['SonarQube while it starts', '{"id":"1","version":"10.4","status":"STARTING"}'],
  ['RabbitMQ', '{"status":"ok"}'],
  ['Patroni', '{"state":"running","role":"replica","server_version":160002}'],
  ['etcd', '{"health":"true","reason":""}'],
  ['Vault on standby', '{"initialized":true,"sealed":false,"standby":true}'],
  ['Consul', '[{"Node":"a","CheckID":"serfHealth","Status":"critical"}]'],
  ['Kibana', '{"status":{"overall":{"level":"available"}}}'],
  ['Jenkins', '{"status":"online"}'],
  ['a number', '{"status":200,"duration":"3197ms"}'],
  ['a boolean', '{"status":true,"message":"fail"}'],
  ['a part that is advisory', '{"status":"degraded","db":"down","redis":"ok"}'],
  ['a failover', '{"status":"failover-primary"}'],
  ['a mode whose name begins so', '{"status":"fail-safe"}'],
  ['a queue of dead letters', '{"state":"dead-letter-queue-empty"}'],
  ['a fast mode of sampling', '{"state":"down-sampling"}'],
  ['text', 'status: DOWN'],
];

it.each(GOOD)('finds no bad state in an answer of 200: %s', (_, body) => {
  expect(badState(new TextEncoder().encode(body))).toBeUndefined();
});

it.each([
  ['{"status":"DOWN"}', 'DOWN'],
  ['{"status":"Unhealthy","results":{}}', 'Unhealthy'],
  ['{"status":"error: database"}', 'error: database'],
  ['{"status":"OUT_OF_SERVICE"}', 'OUT_OF_SERVICE'],
  ['{"status":"not ready"}', 'not ready'],
  ['{"state":"offline"}', 'offline'],
])('finds the bad state in %s', (body, state) => {
  expect(badState(new TextEncoder().encode(body))).toBe(state);
});

it.each([
  [
    'a sentence that a list follows',
    'Not running:\nStarting: 2\n ingester',
    'Not running: Starting: 2 ingester',
  ],
  ['other lines after a sentence', 'not ready\nversion 3', 'not ready'],
  [
    'causes',
    '{"health":"RED","causes":[{"message":"Elasticsearch is RED"}]}',
    'Elasticsearch is RED',
  ],
  [
    'the root cause on a page of Tomcat',
    '<html><title>HTTP Status 500</title><p><b>Root Cause</b></p><pre>java.lang.NoClassDefFoundError: a/Dao\n\tat a</pre></html>',
    'java.lang.NoClassDefFoundError: a/Dao',
  ],
  [
    'an error of PHP',
    '<br />\n<b>Fatal error</b>:  Uncaught PDOException: Connection refused in /app/index.php:12\n',
    'Uncaught PDOException: Connection refused in /app/index.php:12',
  ],
])('reads %s', (_, body, text) => {
  expect(readAnswer(body).text).toBe(text);
});

it('names what the time in the details of a part is', () => {
  const part = { name: 'db', status: 'DOWN', data: { 'Failing since': '2024-05-01 10:00' } };
  const body = JSON.stringify({ status: 'DOWN', checks: [part] });
  expect(readAnswer(body).down).toEqual([{ name: 'db', text: 'Failing since: 2024-05-01 10:00' }]);
});
