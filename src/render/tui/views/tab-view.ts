import { podInView } from '../store/pod-in-view.js';
import type { Snapshot } from '../store/snapshot.js';
import { eventsView } from './events-view.js';
import { logsView } from './logs-view.js';
import { podView } from './pod/pod-view.js';
import { podsView } from './pods/pods-view.js';
import { statusView } from './status-view.js';
import { timelineView } from './timeline/timeline-view.js';
import type { ViewKind } from './view.js';

/** The view of the tab, whatever lies over it. */
export function tabView(snapshot: Snapshot): ViewKind {
  if (snapshot.summary.pods.length > 1 && podInView(snapshot) === undefined) return podsView;
  switch (snapshot.ui.tab) {
    case 'pod':
      return podView;
    case 'timeline':
      return timelineView;
    case 'events':
      return eventsView;
    case 'status':
      return statusView;
    case 'logs':
      return logsView;
  }
}
