import { describe, expect, it } from 'vitest';

import {
  missingContainerMessage,
  parseSetting,
  type Setting,
  settingsFor,
  withSettings,
} from '../../../src/manifest/pods/settings.js';
import { buildPod, buildProbe } from '../../helpers/builders.js';

const pod = buildPod({
  spec: {
    containers: [{ name: 'app', image: 'app:1', livenessProbe: buildProbe({ timeoutSeconds: 4 }) }],
  },
});

function set(...texts: readonly string[]) {
  const changed = withSettings(
    pod,
    texts.map((text) => parseSetting(text) as Setting),
  );
  return changed.kind === 'pod' ? changed.pod.spec : changed.messages.join('\n');
}

function notes(...texts: readonly string[]): readonly string[] {
  const settings = texts.map((text) => parseSetting(text) as Setting);
  const changed = withSettings(pod, settings);
  return changed.kind === 'pod' ? changed.notes : changed.messages;
}

describe('a --set setting', () => {
  it('changes one field of a probe', () => {
    expect(set('app.livenessProbe.failureThreshold=5')).toMatchObject({
      containers: [{ livenessProbe: { failureThreshold: 5, timeoutSeconds: 4 } }],
    });
  });

  it('changes a field of the pod spec', () => {
    expect(set('terminationGracePeriodSeconds=5')).toMatchObject({
      terminationGracePeriodSeconds: 5,
    });
  });

  it.each([
    ['periodSeconds', 10],
    ['timeoutSeconds', 1],
    ['successThreshold', 1],
    ['failureThreshold', 3],
  ])('of 0 reports the default of %s', (field, value) => {
    const text = `app.livenessProbe.${field}=0`;
    expect(notes(text)).toEqual([`--set ${text}: 0 means unset; it is ${value}, the default`]);
    expect(set(text)).toMatchObject({ containers: [{ livenessProbe: { [field]: value } }] });
  });

  it('of null reports the default', () => {
    expect(notes('terminationGracePeriodSeconds=null', 'app.livenessProbe=null')).toEqual([
      '--set terminationGracePeriodSeconds=null: it is 30, the default',
    ]);
  });

  it.each(['app.livenessProbe.initialDelaySeconds=0', 'terminationGracePeriodSeconds=0'])(
    'of 0 is not reported when 0 is a valid value: %s',
    (text) => {
      expect(notes(text)).toEqual([]);
    },
  );

  it('reports a warning about the changed pod', () => {
    const texts = ['app.livenessProbe.exec=null', 'app.livenessProbe.tcpSocket.port=http'];
    expect(notes(...texts)).toEqual([
      expect.stringContaining('container "app" has no port named "http"'),
    ]);
  });

  it('copies another probe by its name', () => {
    expect(
      set('app.startupProbe=livenessProbe', 'app.startupProbe.failureThreshold=30'),
    ).toMatchObject({
      containers: [{ startupProbe: { failureThreshold: 30, timeoutSeconds: 4 } }],
    });
  });

  it('removes a field with null', () => {
    const spec = set('app.livenessProbe=null');
    expect(spec).not.toHaveProperty('containers[0].livenessProbe');
  });

  it.each([
    [
      'web.livenessProbe.periodSeconds=1',
      '--set web.livenessProbe.periodSeconds=1: no container "web" (containers: app)',
    ],
    ['app=1', '--set app=1: name a field of app, such as app.livenessProbe.timeoutSeconds'],
    [
      'app.startupProbe=readinessProbe',
      '--set app.startupProbe=readinessProbe: app has no readinessProbe',
    ],
    ['app.name=web', '--set app.name=web: name a field of app, such as app.livenessProbe'],
    ['app.livenessProbe.periodSeconds=1.5', 'a 32-bit integer, not 1.5'],
    ['app.livenessProbe.periodSeconds=9999999999', 'a 32-bit integer, not 9999999999'],
    ['app.livenessProbe.successThreshold=2', 'livenessProbe.successThreshold: Invalid value: 2'],
    ['app.__proto__.polluted=1', 'spec.containers[0].__proto__: unknown field'],
    ['app.livenessProbe.__proto__=1', 'spec.containers[0].livenessProbe.__proto__: unknown field'],
    ['app.constructor.name=1', 'spec.containers[0].constructor: unknown field'],
    ['app.livenessProbe.periods=1', 'spec.containers[0].livenessProbe.periods: unknown field'],
    [
      'app.livenessProbe.periodSeconds=-1',
      'spec.containers[0].livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
    ],
  ])('is rejected when it is invalid: %s', (text, message) => {
    expect(set(text)).toContain(message);
  });

  it('is rejected without a value', () => {
    expect(parseSetting('app.livenessProbe')).toEqual({
      message: '--set app.livenessProbe: write it as app.livenessProbe.timeoutSeconds=2',
    });
  });

  it('is rejected when an earlier one removed its container', () => {
    expect(set('containers=1', 'app.image=a')).toContain('no container "app"');
  });
});

describe('settings for several pods', () => {
  const other = buildPod({ spec: { containers: [{ name: 'web', image: 'a' }] } });
  const settings = ['app.image=b', 'web.image=b', 'restartPolicy=Never'].map(
    (text) => parseSetting(text) as Setting,
  );

  it('apply to the pod that has the container, or to each pod', () => {
    expect(settingsFor(other, settings).map(({ text }) => text)).toEqual([
      'web.image=b',
      'restartPolicy=Never',
    ]);
  });

  it('are rejected when no pod has the container', () => {
    expect(missingContainerMessage([pod, other], settings)).toBeUndefined();
    expect(missingContainerMessage([pod], settings)).toBe(
      '--set web.image=b: no container "web" (containers: app)',
    );
  });
});
