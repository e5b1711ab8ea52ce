import { expect, it } from 'vitest';

import { readEngineEvent, startError } from '../../../src/runtime/container/engine.js';
import { ENGINE_KINDS, type EngineName } from '../../../src/runtime/container/engine-kind.js';

const MISSING = 'exec failed: unable to start container process: exec: "x": not found: unknown';

it.each<[EngineName, number, string, string | undefined]>([
  ['docker', 127, `OCI runtime exec failed: ${MISSING}\n`, `OCI runtime exec failed: ${MISSING}`],
  // The container ended while the command was being started.
  [
    'docker',
    126,
    'OCI runtime exec failed: cannot exec in a deleted state: unknown\n',
    'OCI runtime exec failed: cannot exec in a deleted state: unknown',
  ],
  ['docker', 126, 'no permission\n', undefined],
  ['docker', 1, 'OCI runtime exec failed: cannot exec in a deleted state: unknown\n', undefined],
  [
    'podman',
    126,
    'Error: crun: executable file `x` not found\n',
    'crun: executable file `x` not found',
  ],
])(
  '%s ends an exec with %i and prints %j: the command could not start because of %j',
  (name, code, text, reason) => {
    const output = { stdout: new Uint8Array(), stderr: new TextEncoder().encode(text) };
    expect(startError(ENGINE_KINDS[name], code, output)).toBe(reason);
  },
);

it.each<[string, object, object | undefined]>([
  [
    "docker's end",
    { Action: 'die', Actor: { ID: 'a', Attributes: { exitCode: '3' } } },
    { id: 'a', action: 'die', exitCode: 3 },
  ],
  [
    "the end of podman's service",
    { Action: 'die', Actor: { ID: 'a', Attributes: { containerExitCode: '0' } } },
    { id: 'a', action: 'die', exitCode: 0 },
  ],
  [
    "the end of podman's command",
    { ID: 'a', Status: 'died', ContainerExitCode: 3 },
    { id: 'a', action: 'died', exitCode: 3 },
  ],
  [
    "an end of podman's command with 0, which it leaves out",
    { ID: 'a', Status: 'died' },
    { id: 'a', action: 'died', exitCode: 0 },
  ],
  [
    "a start of podman's service, which has an exit code",
    { Action: 'start', Actor: { ID: 'a', Attributes: { containerExitCode: '0' } } },
    { id: 'a', action: 'start' },
  ],
  [
    "a signal that docker's engine sends",
    { Action: 'kill', Actor: { ID: 'a', Attributes: { signal: '9' } } },
    { id: 'a', action: 'kill', signal: 9 },
  ],
  ['a signal that podman does not name', { ID: 'a', Status: 'kill' }, { id: 'a', action: 'kill' }],
  ['another action', { ID: 'a', Status: 'mount' }, undefined],
])('%s: the event is read', (_, value, event) => {
  expect(readEngineEvent(value)).toEqual(event);
});
