import { expect, it } from 'vitest';

import type { Advice } from '../../src/diagnosis/change.js';
import { settingAdvice } from '../../src/diagnosis/named-setting.js';
import type { ProgramError } from '../../src/diagnosis/output/runtime-readers.js';
import { errorAdvice } from '../../src/diagnosis/surroundings.js';
import { adviceText } from '../../src/diagnosis/words/change-text.js';
import { buildContainer } from '../helpers/builders.js';

it.each([
  ['Missing required configuration "zookeeper.connect"', 'Set zookeeper.connect'],
  ['missing setting: cookie-secret missing setting: client-id', 'Set cookie-secret and client-id'],
  ["storage: option 'encryption_key' is required", 'Set encryption_key'],
  ['The config property payment.api.key is required but', 'Set payment.api.key'],
  ['Please define "password_secret" in your configuration.', 'Set password_secret'],
  ["ConfigException$Missing: No configuration setting found for key 'a.b'", 'Set a.b'],
  ['The ConnectionString property has not been initialized.', 'Set ConnectionString'],
  ['hostname is not configured; or set hostname-strict to false', 'Set hostname'],
  ['Unknown configuration key(s): "a.host", "a.port".', 'Correct a.host and a.port'],
  ["Configuration property 'query.max-length' was not used", 'Correct query.max-length'],
  ['[config validation of [xpack.security].enabled]: definition', 'Correct xpack.security.enabled'],
  ["unknown variable 'querry_cache_size=0'", 'Correct querry_cache_size'],
  ["(Key: 'jobmanager.memory.flink.size' , default: null)", 'Correct jobmanager.memory.flink.size'],
  [
    'invalid: config_key[1]=selfservice.registration.after',
    'Correct selfservice.registration.after',
  ],
  ['Check the configured values for a.page and a.heap', 'Correct a.page and a.heap'],
  ["DB::Exception: Unknown storage policy 'cold_data'", 'Correct cold_data'],
  ['Unknown storage type raftt', 'Correct raftt'],
])('a setting is named where an error has its name and what is wrong: %s', (text, expected) => {
  const advice = settingAdvice(text, false);
  expect(advice && adviceText(advice)).toBe(`${expected} in its configuration`);
});

it('a setting has the file and the line of its error', () => {
  const error = { text: 'unknown directive "serve"', at: 'nginx.conf:5', isConfig: true } as const;
  expect(adviceText(errorAdvice(error, buildContainer({})))).toBe('Correct serve in nginx.conf:5');
});

it.each([
  ['Invalid value for NEO4J_AUTH: none', { name: 'NEO4J_AUTH' }],
  ['Refusing to start due to insecure SECRET_KEY', { name: 'SECRET_KEY' }],
  ['SYRINGE_TIER is a required variable.', { name: 'SYRINGE_TIER', isUnset: true }],
  ['The A_KEY environment variable is empty, or set B_KEY', { name: 'A_KEY', isUnset: true }],
  ['Unknown environment variable in config : X_KEY', { name: 'X_KEY', isUnset: true }],
])('a variable is named: %s', (text, named) => {
  expect(errorAdvice({ text }, buildContainer({}))).toEqual({ do: 'setVariable', ...named });
});

it.each<readonly [string, Advice]>([
  ['config: yaml: line 21: did not find', correct('line 21 of the YAML that it reads')],
  ['Error parsing /etc/t.conf, line 57: field is not defined', correct('t.conf:57')],
  [
    'ConfigError: Expected one of # at line 15',
    correct('line 15 of the configuration that it reads'),
  ],
  ['/etc/bind/named.conf.options:30: expected prefix', correct('named.conf.options:30')],
  ['/etc/radius/sites-enabled/default[216]: Error binding', correct('default:216')],
  ['could not parse "x" as int value for flag port: invalid', correct('command', 'args')],
  ['unknown flag: --old', correct('command', 'args')],
  ['--initial-cluster has a=b but is missing from the list', correct('command', 'args')],
  ['java.io.IOException: Invalid keystore format', correct('the keystore or its type')],
])('a line or an option is named: %s', (text, advice) => {
  expect(errorAdvice({ text }, buildContainer({}))).toEqual(advice);
});

function correct(...fields: readonly string[]): Advice {
  return { do: 'correct', fields };
}

it.each<ProgramError>([
  { text: "Error: Unknown field 'totals' is not defined by type 'Order'" },
  { text: "error TS2741: Property 'port' is missing in type '{}' but required in type 'Options'." },
  { text: 'ReferenceError: options is not defined', at: 'server.js:3' },
  { text: "TypeError: connect() missing 1 required positional argument: 'port'", at: 'main.py:9' },
  { text: "ValueError: unknown type 'invoice' of document 88", at: 'main.py:4' },
  { text: "ERROR 1364 (HY000): Field 'created_at' doesn't have a default value" },
  { text: 'ERROR: duplicate key value violates unique constraint "users_email_key"' },
  { text: 'Error: invalid input syntax for type integer: "abc"' },
  { text: "undefined method `configure' for nil:NilClass (NoMethodError)", at: 'app.rb:3' },
  { text: 'java.lang.NoClassDefFoundError: org/slf4j/LoggerFactory', at: 'Main.java:12' },
  {
    text: 'java.lang.NullPointerException: Cannot invoke "com.shop.Config.port()"',
    at: 'Main.java:12',
  },
  { text: 'panic: config has 3 workers but 5 queues', at: 'run.go:40' },
  { text: 'error: rule 12 refers to set 4, which was flushed' },
  { text: 'fatal: could not set alarm for job 12, must configure nothing else' },
  { text: 'error: the key expired for session 9' },
  { text: 'error: order file of customer 12: line 3: amount not found' },
  { text: "fatal: can't reach a decision on order 12" },
  { text: 'error: member 12 of team 7 belongs to nobody' },
  { text: 'error: invalid value "abc" for quantity of order 12' },
  { text: 'error: volume of trade 12 cannot be negative' },
  { text: 'error: cannot open ledger 7' },
  { text: 'Error: queue is empty', at: 'a.js:1' },
  { text: 'order 12: out of stock' },
  { text: 'error: worker 3 gave up on job 17' },
  { text: 'disk quota reached for tenant 7' },
  { text: 'error: initialization incomplete' },
  { text: 'error: queue 12 has gone' },
  { text: 'missing value for report' },
  { text: 'sql: unknown driver "postgres" (forgotten import?)' },
  { text: "unknown type 'invoice' of document 88" },
  { text: 'error: config.yaml has 12 entries' },
  { text: 'error: invalid CAP_SYS_TIME for order 12' },
])('an error of code or of what is sent to it names no setting: $text', (error) => {
  expect(errorAdvice(error, buildContainer({}))).toEqual({ do: 'fixError', at: error.at });
});

it('a long name without an end is read at once', () => {
  expect(settingAdvice(`Error: ${'A_B_'.repeat(2000)}!`, false)).toBeUndefined();
});
