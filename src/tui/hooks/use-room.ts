import type { DOMElement } from 'ink';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Returns the reference of a box, and the rows that it got. */
export function useRoom(): [RefObject<DOMElement | null>, number] {
  const box = useRef<DOMElement>(null);
  const [rows, setRows] = useState(0);
  useLayoutEffect(() => setRows(box.current?.yogaNode?.getComputedHeight() ?? 0));
  return [box, rows];
}
