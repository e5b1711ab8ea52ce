import type { Snapshot } from '../store/snapshot.js';
import { attemptView } from './attempt/attempt-view.js';
import { confirmView } from './confirm-view.js';
import { describeView } from './describe/describe-view.js';
import { explainView } from './explain-view.js';
import { helpView } from './help-view.js';
import { tabView } from './tab-view.js';
import type { ViewKind } from './view.js';

/** What is shown: what lies on top, else the tab. */
export function currentView(snapshot: Snapshot): ViewKind {
  switch (snapshot.ui.overlays.at(-1)?.kind) {
    case 'help':
      return helpView;
    case 'attempt':
      return attemptView;
    case 'describe':
      return describeView;
    case 'explain':
      return explainView;
    case 'confirmRestart':
      return confirmView;
    case undefined:
      return tabView(snapshot);
  }
}
