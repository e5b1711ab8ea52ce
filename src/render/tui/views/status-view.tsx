import type { FC } from 'react';

import { podStatusYaml } from '../../machine-output.js';
import { type Line, span, wrapText } from '../../text/line.js';
import { ScrollBox } from '../components/scroll-box.js';
import { useSnapshot } from '../hooks/use-store.js';
import { filterOf, matches, podInView, wrapsIn } from '../store/selection.js';
import type { Size } from '../store/state.js';

export const StatusView: FC<Size> = ({ columns, rows }) => {
  const snapshot = useSnapshot();
  const pod = podInView(snapshot);
  if (pod === undefined) return null;
  const wraps = wrapsIn(snapshot);
  const filter = filterOf(snapshot);
  const texts = podStatusYaml([pod]).trimEnd().split('\n');
  const shown = texts.filter((text) => matches(text, filter));
  const lines = shown.flatMap((text) => (wraps ? wrapText(text, columns) : [text])).map(yamlLine);
  const counts = { shown: shown.length, total: texts.length };
  return (
    <ScrollBox id={`status ${pod.key}`} lines={lines} {...counts} width={columns} height={rows} />
  );
};

function yamlLine(text: string): Line {
  const match = /^(\s*(?:- )?)([\w.]+:)(.*)$/.exec(text);
  if (match === null) return [span(text)];
  const [, indent = '', key = '', value = ''] = match;
  return [span(indent), span(key, 'info'), span(value)];
}
