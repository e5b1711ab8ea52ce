import { line } from '../../text/line.js';
import { tableRow } from '../../text/table.js';
import { podInView } from '../store/pod-in-view.js';
import {
  EVENT_COLUMNS,
  EVENT_HEADINGS,
  eventRow,
  eventWidths,
  happenings,
} from './pod/event-rows.js';
import { NO_BODY, type ViewKind } from './view.js';

/** A pod's events, as `kubectl describe` lists them. */
export const eventsView: ViewKind = {
  title: () => 'events',
  show(snapshot) {
    const { summary, now, size, ui } = snapshot;
    const pod = podInView(snapshot);
    if (pod === undefined) return { head: [], body: NO_BODY, tail: [] };
    const events = happenings(pod, summary, ui.filter);
    const widths = eventWidths(events, size.columns);
    const isHeldBack = pod.events.some(({ sent, count }) => sent?.count !== count);
    const note =
      'held back: the kubelet sends 25 events of a type about a pod, then one more every 5 minutes';
    return {
      head: [{ line: tableRow(EVENT_HEADINGS, EVENT_COLUMNS, widths) }],
      body: {
        id: `events ${pod.key}`,
        count: events.length,
        row: (index) => {
          const event = events[index];
          return { line: event === undefined ? [] : eventRow(event, widths, now) };
        },
        follows: true,
      },
      tail: isHeldBack ? [{ line: line(note, 'dim') }] : [],
    };
  },
  keys: [{ key: 'j k', word: 'scroll', sentence: 'scroll; g and G go to the ends' }],
};
