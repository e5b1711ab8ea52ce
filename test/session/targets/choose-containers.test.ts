import { describe, expect, it } from 'vitest';

import { containerChoices, processTarget } from '../../../src/session/targets/choose-containers.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';

const pods = ['web', 'api'].map((name) =>
  buildPod({ metadata: { name, uid: `uid-${name}` }, spec: { containers: [buildContainer()] } }),
);

describe('two pods with a container of one name', () => {
  it.each(['web', 'api'])('-c %s/app chooses that of the pod', (name) => {
    const chosen = processTarget(pods, ['server'], `${name}/app`);
    expect([chosen?.pod.metadata.name, chosen?.container]).toEqual([name, 'app']);
  });

  it('--docker POD/CONTAINER=NAME chooses one each', () => {
    expect(containerChoices(pods, ['web/app=one', 'api/app=two'])).toEqual([
      { podUID: 'uid-web', container: 'app', name: 'one' },
      { podUID: 'uid-api', container: 'app', name: 'two' },
    ]);
  });

  it.each([
    ['app=one', 'name the pod too, web/app'],
    ['one', 'which container is one?'],
    ['shop/app=one', 'no container "shop/app"'],
    ['web/app=', 'write NAME, or CONTAINER=NAME'],
  ])('--docker %s is refused', (text, message) => {
    expect(() => containerChoices(pods, [text])).toThrow(message);
  });

  it('--docker refuses two containers for one', () => {
    expect(() => containerChoices(pods, ['web/app=one', 'web/app=two'])).toThrow(
      '--docker names two containers',
    );
  });
});
