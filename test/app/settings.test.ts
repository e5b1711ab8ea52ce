import { describe, expect, it } from 'vitest';

import { parseSetting, type Setting, withSettings } from '../../src/app/settings.js';
import { buildPod, buildProbe } from '../helpers/builders.js';

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

describe('a setting', () => {
  it('changes a field of a probe, and leaves the others', () => {
    expect(set('app.livenessProbe.failureThreshold=5')).toMatchObject({
      containers: [{ livenessProbe: { failureThreshold: 5, timeoutSeconds: 4 } }],
    });
  });

  it("changes a field of the pod's spec", () => {
    expect(set('terminationGracePeriodSeconds=5')).toMatchObject({
      terminationGracePeriodSeconds: 5,
    });
  });

  it('copies a probe by its name', () => {
    expect(
      set('app.startupProbe=livenessProbe', 'app.startupProbe.failureThreshold=30'),
    ).toMatchObject({
      containers: [{ startupProbe: { failureThreshold: 30, timeoutSeconds: 4 } }],
    });
  });

  it('takes a field away', () => {
    const spec = set('app.livenessProbe=null');
    expect(spec).not.toHaveProperty('containers[0].livenessProbe');
  });

  it.each([
    [
      'web.livenessProbe.periodSeconds=1',
      '--set web.livenessProbe.periodSeconds=1: there is no container web: there is app',
    ],
    ['app=1', '--set app=1: name a field of app, such as app.livenessProbe.timeoutSeconds'],
    [
      'app.startupProbe=readinessProbe',
      '--set app.startupProbe=readinessProbe: app has no readinessProbe',
    ],
    ['app.livenessProbe.periods=1', 'spec.containers[0].livenessProbe.periods: unknown field'],
    [
      'app.livenessProbe.periodSeconds=-1',
      'spec.containers[0].livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
    ],
  ])('that cannot be is refused: %s', (text, message) => {
    expect(set(text)).toContain(message);
  });

  it('has a form', () => {
    expect(parseSetting('app.livenessProbe')).toEqual({
      message: '--set app.livenessProbe: write it as app.livenessProbe.timeoutSeconds=2',
    });
  });
});
