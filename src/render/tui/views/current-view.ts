import { viewName } from '../store/selection.js';
import type { Snapshot, ViewName } from '../store/state.js';
import { attemptTitle, AttemptView } from './attempt-view.js';
import { describeTitle, DescribeView } from './describe-view.js';
import { eventsTitle, EventsView } from './events-view.js';
import { explainTitle, ExplainView } from './explain-view.js';
import { HelpView } from './help-view.js';
import { logsTitle, LogsView } from './logs-view.js';
import { PodView } from './pod-view.js';
import { podsTitle, PodsView } from './pods-view.js';
import { ConfirmView, CopyView } from './question-views.js';
import { StatusView } from './status-view.js';
import { timelineTitle, TimelineView } from './timeline-view.js';
import type { View } from './view.js';

interface ViewKind {
  /** In the header, after the pod. */
  readonly title: (snapshot: Snapshot) => string;
  readonly View: View;
}

export function currentView(snapshot: Snapshot): ViewKind {
  return VIEWS[viewName(snapshot)];
}

const VIEWS: Readonly<Record<ViewName, ViewKind>> = {
  pods: { title: podsTitle, View: PodsView },
  pod: { title: () => '', View: PodView },
  timeline: { title: timelineTitle, View: TimelineView },
  events: { title: eventsTitle, View: EventsView },
  status: { title: () => 'status', View: StatusView },
  logs: { title: logsTitle, View: LogsView },
  help: { title: () => 'keys', View: HelpView },
  attempt: { title: attemptTitle, View: AttemptView },
  describe: { title: describeTitle, View: DescribeView },
  explain: { title: explainTitle, View: ExplainView },
  copy: { title: () => 'copy', View: CopyView },
  confirmRestart: { title: () => 'restart', View: ConfirmView },
};
