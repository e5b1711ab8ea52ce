import type { DOMElement } from 'ink';
import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Lets Ink paint only the last frame that React renders of a state: the others still use the heights of the state before.
 * Returns the ref of a box of the screen.
 */
export function usePaintOnce(): RefObject<DOMElement | null> {
  const box = useRef<DOMElement>(null);
  useLayoutEffect(() => {
    let root = box.current;
    while (root?.parentNode) root = root.parentNode;
    const paint = root?.onRender;
    if (root === null || paint === undefined) return;
    let isDue = false;
    root.onRender = () => {
      if (isDue) return;
      isDue = true;
      queueMicrotask(() => {
        isDue = false;
        paint();
      });
    };
  }, []);
  return box;
}
