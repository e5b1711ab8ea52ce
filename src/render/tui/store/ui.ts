/** What the user has chosen to see. */
export interface Ui {
  readonly tab: Tab;
  /** The pod that is looked into; the list of all when it is undefined and there are several. */
  readonly pod: string | undefined;
  /** What lies over the tab, the last one on top. */
  readonly overlays: readonly Overlay[];
  /** The row that is chosen in a list, by what it stands for. */
  readonly chosen: Readonly<Record<string, string>>;
  /** The first row shown of what scrolls; `end` follows what is added. */
  readonly scroll: Readonly<Record<string, number | 'end'>>;
  readonly filter: string;
  readonly editsFilter: boolean;
  readonly paused: boolean;
  readonly wraps: boolean;
  readonly message: Message | undefined;
}

export type Tab = 'pod' | 'timeline' | 'events' | 'status' | 'logs';
export const TABS: readonly Tab[] = ['pod', 'timeline', 'events', 'status', 'logs'];

export type Overlay = { readonly kind: 'help' } | { readonly kind: 'attempt' };

/** What an action came to; shown for a while. */
export interface Message {
  readonly text: string;
  readonly tone: 'good' | 'bad';
  readonly until: number;
}

export const FIRST_UI: Ui = {
  tab: 'pod',
  pod: undefined,
  overlays: [],
  chosen: {},
  scroll: {},
  filter: '',
  editsFilter: false,
  paused: false,
  wraps: true,
  message: undefined,
};
