import { type RefObject, useEffect, useRef } from 'react';

/** Brings what an action has just made into view, without more moves than that. */
export function useIntoView<T extends Element>(): RefObject<T | null> {
  const made = useRef<T>(null);
  useEffect(() => made.current?.scrollIntoView({ block: 'nearest' }), []);
  return made;
}
