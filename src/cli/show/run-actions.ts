import type { Session } from '../../app/session.js';
import type { TuiActions } from '../../render/tui/tui.js';

/** What can be done to what is shown. */
export type RunActions = Pick<TuiActions, 'trigger' | 'restart'>;

/** A live run obeys. */
export function sessionActions(session: Session): RunActions {
  return {
    trigger: (pod, container, probe) =>
      session.trigger(pod, container, probe)
        ? undefined
        : `${container}/${probe} has no worker now`,
    restart: (pod, container) => session.restart(pod, container),
  };
}

/** What is past cannot be changed. */
export const REPLAY_ACTIONS: RunActions = {
  trigger: () => 'this is a replay: nothing can be probed',
  restart: () => Promise.resolve('this is a replay: nothing can be restarted'),
};
