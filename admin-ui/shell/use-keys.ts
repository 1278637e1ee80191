import { useLayoutEffect, useRef } from 'react';
import { keysAreOn } from './key-choice.js';

export type Keys = Readonly<Record<string, () => void>>;

const TYPING = 'input, textarea, select, [contenteditable], [role="combobox"]';

/** Whether a single letter would be typed, or belongs to a dialog. */
function isBusy(target: EventTarget | null): boolean {
  const inField = target instanceof Element && target.closest(TYPING) !== null;
  return (
    inField || document.querySelector('[role="dialog"], [role="menu"]') !== null
  );
}

/**
 * Single-letter commands. They are off in fields, under dialogs and with a
 * modifier, and can be turned off altogether (WCAG 2.1.4). They work as soon as
 * the page can be seen: an effect after the paint would lose a quick key.
 */
export function useKeys(keys: Keys): void {
  const newest = useRef(keys);
  useLayoutEffect(() => {
    newest.current = keys;
  });
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.defaultPrevented || event.isComposing) return;
      if (!keysAreOn() || isBusy(event.target)) return;
      const act = newest.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
