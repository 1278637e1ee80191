import { type RefObject, useEffect, useRef } from 'react';

/** Scrolls what an action has just made into view, and no further. */
export function useIntoView<T extends Element>(): RefObject<T | null> {
  const made = useRef<T>(null);
  useEffect(() => made.current?.scrollIntoView({ block: 'nearest' }), []);
  return made;
}
