import { type Tab, TABS } from './state.js';

/** Columns between two tabs. */
const BETWEEN = 2;

export function tabText(tab: Tab, pods: number): string {
  return `${TABS.indexOf(tab) + 1} ${tab === 'pod' && pods > 1 ? 'pods' : tab}`;
}

/** The tab at a column of the row of tabs, where each has a column on both sides. */
export function tabAt(column: number, pods: number): Tab | undefined {
  let end = 0;
  return TABS.find((tab) => {
    end += tabText(tab, pods).length + 2;
    const isIn = column < end;
    end += BETWEEN - 1;
    return isIn;
  });
}
