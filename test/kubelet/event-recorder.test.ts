import { describe, expect, it } from 'vitest';

import { EventRecorder } from '../../src/kubelet/event-recorder.js';
import type { Event } from '../../src/trace/event.js';
import { buildContainer, buildPod } from '../helpers/builders.js';

function createRig() {
  const events: Event[] = [];
  return { events, recorder: new EventRecorder((event) => events.push(event)) };
}

const recorded = {
  kind: 'event',
  pod: 'default/web',
  type: 'Warning',
  reason: 'Why',
  message: 'how',
};

describe('an event', () => {
  it('about a pod has no field path', () => {
    const { events, recorder } = createRig();
    recorder.podEvent(buildPod(), 'Warning', 'Why', 'how');
    expect(events).toEqual([recorded]);
  });

  it.each([
    ['a container', 'app', 'spec.containers{app}'],
    ['an init container', 'init', 'spec.initContainers{init}'],
    ['an ephemeral container', 'debug', 'spec.ephemeralContainers{debug}'],
    ['a container that the pod does not have', 'pause', 'implicitly required container pause'],
  ])('about %s has its field path', (_, name, fieldPath) => {
    const { events, recorder } = createRig();
    const pod = buildPod({
      spec: {
        initContainers: [buildContainer({ name: 'init' })],
        ephemeralContainers: [buildContainer({ name: 'debug' })],
      },
    });
    recorder.containerEvent(pod, buildContainer({ name }), 'Warning', 'Why', 'how');
    expect(events).toEqual([{ ...recorded, fieldPath }]);
  });
});
