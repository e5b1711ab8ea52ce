/** What bench/heap.mjs folds; bundled by bench/bundle.mjs. */
export { fold } from '../src/trace/summary/fold.js';
export { EMPTY_SUMMARY } from '../src/trace/summary/summary.js';
