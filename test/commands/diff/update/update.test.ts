import { describe, expect, it } from 'vitest';

import { storedForm } from '../../../../src/commands/diff/update/update.js';
import { loadPods, podYaml } from '../../../helpers/loaded.js';

function formOf(text: string): unknown {
  return storedForm('Pod', loadPods(text)[0]!.stored);
}

const limits = (cpu: string, memory: string): string =>
  podYaml(
    `containers: [{name: app, image: a, resources: {limits: {cpu: ${cpu}, memory: ${memory}}}}]`,
  );

describe('the form in which objects are compared', () => {
  it.each([
    ['a default that is written out', 'restartPolicy: Always,'],
    ['a boolean that is false', 'hostNetwork: false,'],
    ['a list that is empty', 'tolerations: [],'],
    ['a map that is empty', 'nodeSelector: {},'],
  ])('does not tell %s from what is not written', (_, field) => {
    const container = 'containers: [{name: app, image: a}]';
    expect(formOf(podYaml(field + container))).toEqual(formOf(podYaml(container)));
  });

  it('does not tell ways to write a quantity apart', () => {
    expect(formOf(limits('1', '1Gi'))).toEqual(formOf(limits('1000m', '1024Mi')));
  });

  it.each(['storage', 'divisor', 'sizeLimit', 'limits'])(
    'takes labels that are called like quantities as texts: %s',
    (key) => {
      const labeled = (value: string): string =>
        podYaml('containers: [{name: app, image: a}]', `labels: {${key}: "${value}"}`);
      expect(formOf(labeled('1024Ki'))).not.toEqual(formOf(labeled('1Mi')));
      expect(formOf(labeled('fast'))).not.toEqual(formOf(labeled('slow')));
    },
  );

  it('tells quantities apart', () => {
    expect(formOf(limits('1', '1Gi'))).not.toEqual(formOf(limits('1', '1G')));
  });

  it("leaves out what is the server's", () => {
    const form = formOf(podYaml('containers: [{name: app, image: a}]', 'labels: {a: b}, uid: u'));
    expect(form).toMatchObject({ metadata: { labels: { a: 'b' } } });
    expect(form).not.toHaveProperty('metadata.uid');
    expect(form).not.toHaveProperty('status');
  });
});
