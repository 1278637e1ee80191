import { useEffectEvent, useLayoutEffect } from 'react';

const NAME = 'operators-keys';
const TYPING = 'input, textarea, select, [contenteditable], [role="combobox"]';

/** This browser's setting for single-letter commands. */
export function keysAreOn(): boolean {
  return localStorage.getItem(NAME) !== 'off';
}

export function turnKeys(on: boolean): void {
  localStorage.setItem(NAME, on ? 'on' : 'off');
}

/** A field or dialog takes the letter. */
function isBusy(target: EventTarget | null): boolean {
  const inField = target instanceof Element && target.closest(TYPING) !== null;
  return (
    inField || document.querySelector('[role="dialog"], [role="menu"]') !== null
  );
}

/**
 * Off in fields, under dialogs and with a modifier (WCAG 2.1.4). Bound before
 * the paint: a later effect would lose a quick key.
 */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.defaultPrevented || event.isComposing) return;
    if (!keysAreOn() || isBusy(event.target)) return;
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}
