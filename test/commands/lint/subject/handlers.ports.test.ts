import { expect, it } from 'vitest';

import { membersByPort } from '../../../../src/commands/lint/subject/handlers.js';
import { membersOf } from '../../../../src/commands/lint/subject/subject.js';
import { buildContainer, buildPod } from '../../../helpers/builders.js';

it('finds containers by the ports that they declare or open, once for a pod', () => {
  const ports = [{ containerPort: 8080, protocol: 'TCP' }] as const;
  const containers = [
    buildContainer({ name: 'first', ports }),
    buildContainer({ name: 'second', ports, args: ['--listen=:9090', '--listen=10.0.0.1:7070'] }),
  ];
  const members = membersOf(buildPod({ spec: { containers } }));
  const { declared, opened } = membersByPort(members);
  expect([...declared].map(([port, { container }]) => [port, container.name])).toEqual([
    [8080, 'first'],
  ]);
  expect([...opened].map(([port, all]) => [port, all.map((each) => each.container.name)])).toEqual([
    [9090, ['second']],
  ]);
  expect(membersByPort(members).declared).toBe(declared);
});
