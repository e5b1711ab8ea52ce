import { podStatusYaml } from '../../machine-output.js';
import { type Line, span, wrapText } from '../../text/line.js';
import { matches } from '../format.js';
import { podInView } from '../selection.js';
import type { ViewKind } from './view.js';

export const statusView: ViewKind = {
  title: () => 'status',
  show(snapshot) {
    const { ui, size } = snapshot;
    const pod = podInView(snapshot);
    if (pod === undefined) return {};
    const rows = podStatusYaml([pod])
      .trimEnd()
      .split('\n')
      .filter((text) => matches(text, ui.filter))
      .flatMap((text) => (ui.wraps ? wrapText(text, size.columns) : [text]))
      .map(yamlLine);
    return { body: { id: `status ${pod.key}`, rows } };
  },
  keys: [
    { key: 'j k', word: 'scroll', sentence: 'scroll; g and G go to the ends' },
    { key: 'w', word: 'wrap', sentence: 'wrap long lines, or cut them off' },
  ],
};

function yamlLine(text: string): Line {
  const match = /^(\s*(?:- )?)([\w.]+:)(.*)$/.exec(text);
  if (match === null) return [span(text)];
  const [, indent = '', key = '', value = ''] = match;
  return [span(indent), span(key, 'info'), span(value)];
}
