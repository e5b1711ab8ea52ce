import { expect, it } from 'vitest';

import type { ProbeTarget } from '../../src/kubelet/ports.js';
import type { HttpRequest } from '../../src/kubelet/prober/http-request.js';
import { noTransports } from '../../src/sim/scripted-transports.js';
import { buildContainer, buildPod } from '../helpers/builders.js';

const target: ProbeTarget = { pod: buildPod(), container: buildContainer(), containerID: 'a' };
const error = 'a scenario has no network';

it('an attempt over the network fails in a simulation', async () => {
  const network = noTransports();
  const request = {} as HttpRequest;
  const failed = { result: 'unknown', output: '', error };
  expect(await network.http(target, request, 1)).toEqual(failed);
  expect(await network.tcp(target, '', 1, 1)).toEqual(failed);
  expect(await network.grpc(target, '', 1, '', 1)).toEqual(failed);
  expect(await network.httpHook(target, request)).toBe(error);
});
