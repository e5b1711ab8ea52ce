import { describe, expect, it } from 'vitest';

import {
  containerChoices,
  processTargets,
} from '../../../src/session/targets/choose-containers.js';
import { buildContainer, buildPod } from '../../helpers/builders.js';

const pods = ['web', 'api'].map((name) =>
  buildPod({ metadata: { name, uid: `uid-${name}` }, spec: { containers: [buildContainer()] } }),
);

describe('two pods with a container of one name', () => {
  it.each(['web', 'api'])('-c %s/app chooses that of the pod', (name) => {
    const [chosen] = processTargets(pods, ['server'], `${name}/app`);
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

describe('the words after --', () => {
  const init = ['migrate', 'proxy'].map((name) => buildContainer({ name }));
  const containers = ['app', 'log'].map((name) => buildContainer({ name }));
  const shop = buildPod({ metadata: { name: 'shop' }, spec: { initContainers: init, containers } });

  function commands(words: readonly string[], name?: string) {
    return processTargets([shop], words, name).map(({ container, argv }) => [container, ...argv]);
  }

  it.each([
    [['app=node', 'server.js'], [['app', 'node', 'server.js']]],
    [['shop/log=tail', '-f'], [['log', 'tail', '-f']]],
    [
      ['app=node', 'a.js', '--', 'migrate=./up', '--', 'proxy=envoy', '-c', 'x'],
      [
        ['app', 'node', 'a.js'],
        ['migrate', './up'],
        ['proxy', 'envoy', '-c', 'x'],
      ],
    ],
    // Another -- belongs to the command.
    [
      ['app=npm', 'run', 'dev', '--', '--port=3', '--', 'log=cat'],
      [
        ['app', 'npm', 'run', 'dev', '--', '--port=3'],
        ['log', 'cat'],
      ],
    ],
    [['app=npm run dev -- log=1'], [['app', 'npm', 'run', 'dev', '--', 'log=1']]],
    [
      [`proxy=envoy -c 'a b' "\$HOME;" | $(x)`],
      [['proxy', 'envoy', '-c', 'a b', '$HOME;', '|', '$(x)']],
    ],
    // Words that follow are not split.
    [['app=sh', '-c', 'a b'], [['app', 'sh', '-c', 'a b']]],
    [['app=', 'my server'], [['app', 'my server']]],
  ])('%j are the commands of containers', (words, expected) => {
    expect(commands(words)).toEqual(expected);
  });

  it.each([
    [['node', 'log=1'], 'node'],
    [['./log=1'], './log=1'],
    [['/bin/a=b'], '/bin/a=b'],
  ])('%j is one command', (words, file) => {
    expect(commands(words, 'app')[0]?.slice(0, 2)).toEqual(['app', file]);
  });

  it.each([
    [['ap=node'], 'no container "ap" (containers: app, log, migrate, proxy)'],
    [['app=node', '--', 'envoy=x'], 'no container "envoy"'],
    [['app=a', '--', 'shop/app=b'], 'two commands for container "app"'],
    [['app='], 'no command for container "app": write app=COMMAND'],
    [['app=', '--', 'log=cat'], 'no command for container "app"'],
    [['app=  '], 'no command for container "app"'],
    [['app=', ''], 'no command for container "app"'],
    [["app=sh -c 'x"], 'a quote is not closed'],
    [['node', 'server.js'], 'which container does the command run as?'],
    [['PORT=80', 'node'], 'PORT=80 sets a variable; write -- env PORT=80 node'],
  ])('%j are refused', (words, message) => {
    expect(() => commands(words)).toThrow(message);
  });

  it('a container that --container names too is refused', () => {
    expect(() => commands(['log=cat'], 'app')).toThrow('both name a container: choose one');
  });
});
