/** How every trace begins. */
export const TRACE_BEGIN = '{"t":0,"kind":"trace"';
