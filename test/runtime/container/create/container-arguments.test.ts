import { describe, expect, it } from 'vitest';

import type { Container, Pod } from '../../../../src/api/index.js';
import { containerArguments } from '../../../../src/runtime/container/create/container-arguments.js';
import type { Mount } from '../../../../src/runtime/container/create/pod-mounts.js';
import { buildContainer, buildPod } from '../../../helpers/builders.js';

/** The arguments of a container, with the ones after these flags. */
function valuesOf(
  flags: readonly string[],
  container: Partial<Container>,
  { spec }: { spec?: Partial<Pod['spec']> } = {},
  mounts: readonly Mount[] = [],
): readonly string[] {
  const pod = buildPod(spec && { spec });
  const args = containerArguments({
    ...{ pod, mounts, sandboxID: 's', env: new Map<string, string>() },
    container: buildContainer({ name: 'app', ...container }),
    identity: { user: undefined, groups: [] },
  });
  return args.flatMap((arg, index) => (flags.includes(arg) ? (args[index + 1] ?? '') : []));
}

const localhost = (localhostProfile: string) => ({ type: 'Localhost', localhostProfile });

describe('the arguments of a container', () => {
  it.each([
    ['4', '400000'],
    ['500m', '50000'],
    ['5m', '1000'],
    ['1m', '1000'],
    ['10u', '1000'],
  ])('limit a CPU of %s by a quota of %s µs', (cpu, quota) => {
    const container = { resources: { limits: { cpu } } };
    expect(valuesOf(['--cpu-period', '--cpu-quota'], container)).toEqual(['100000', quota]);
  });

  it('have the stop signal, and no HEALTHCHECK', () => {
    const container = { lifecycle: { stopSignal: 'SIGUSR1' } };
    expect(valuesOf(['--stop-signal'], container)).toEqual(['SIGUSR1']);
    expect(valuesOf(['--no-healthcheck'], {})).toHaveLength(1);
  });

  it.each([
    ['of the engine for a pod that names none', undefined, undefined, []],
    ['of the engine', 'RuntimeDefault', undefined, []],
    ['none', 'Unconfined', undefined, ['seccomp=unconfined']],
    ['of a file', 'Localhost', 'a/b.json', ['seccomp=/var/lib/kubelet/seccomp/a/b.json']],
  ])('have a seccomp profile %s', (_, type, localhostProfile, options) => {
    const seccompProfile = type && { type, ...(localhostProfile && { localhostProfile }) };
    const securityContext = { ...(seccompProfile && { seccompProfile }) };
    expect(valuesOf(['--security-opt'], { securityContext })).toEqual(options);
    expect(valuesOf(['--security-opt'], {}, { spec: { securityContext } })).toEqual(options);
  });

  it('have no seccomp profile for a privileged container', () => {
    const securityContext = { privileged: true, seccompProfile: { type: 'Localhost' } };
    expect(valuesOf(['--security-opt'], { securityContext })).toEqual([]);
  });

  it.each([
    ['its own', localhost('own'), localhost('pod'), ['apparmor=own']],
    ['its pod', undefined, localhost('pod'), ['apparmor=pod']],
    ['nothing', undefined, undefined, []],
    ['the default', { type: 'RuntimeDefault' }, undefined, []],
    ['none', { type: 'Unconfined' }, localhost('pod'), ['apparmor=unconfined']],
  ])('have the AppArmor profile of %s', (_, own, ofPod, options) => {
    const profile = (appArmorProfile?: { readonly type: string }) =>
      appArmorProfile && { securityContext: { appArmorProfile } };
    const pod = { ...(ofPod && { spec: { ...profile(ofPod) } }) };
    expect(valuesOf(['--security-opt'], { ...profile(own) }, pod)).toEqual(options);
  });

  it('have the propagation of a mount', () => {
    const mount = { source: '/a', target: '/b', readOnly: true, propagation: 'rslave' };
    expect(valuesOf(['--mount'], {}, {}, [mount])).toEqual([
      'type=bind,source=/a,target=/b,readonly,bind-propagation=rslave',
    ]);
  });
});
