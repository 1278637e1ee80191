import { CloseButton } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { Listeners } from '../api/listeners.js';

type Next = Readonly<Record<string, () => void>>;
type Said = { message: string; next: Next } | null;

const changes = new Listeners();
let said: Said = null;

function change(to: Said): void {
  said = to;
  changes.tell();
}

/** Read aloud, too; `next`: buttons. */
export function say(message: string, next: Next = {}): void {
  change({ message, next });
}

/** For the next operator at this screen. */
export function saidNothing(): void {
  change(null);
}

export function useSaid(): Said {
  return useSyncExternalStore(changes.add, () => said);
}

/** Stays until the next one, so that undo does not disappear. */
export function LastDone() {
  const it = useSaid();
  return (
    <div role="status" className="last-done">
      {it === null ? null : (
        <>
          <span className="last-done-text">{it.message}</span>
          {Object.entries(it.next).map(([label, run]) => (
            <button key={label} type="button" className="link" onClick={run}>
              {label}
            </button>
          ))}
          <CloseButton
            size="sm"
            aria-label="Close this note"
            onClick={saidNothing}
          />
        </>
      )}
    </div>
  );
}
