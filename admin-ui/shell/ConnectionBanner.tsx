import { useEffect, useState } from 'react';
import { useLiveState } from '../live/use-live.js';

const PATIENCE_MS = 4000;

/** A lost connection shows at once, and that it came back is said aloud. */
export function ConnectionBanner() {
  const state = useLiveState();
  const slow = useSlow(state === 'connecting');
  const lost = state === 'lost' || slow;
  return (
    <div role="status" aria-live="assertive" className="connection">
      {lost ? (
        <p className="banner">
          <strong>No live connection.</strong> What you see may be old. This
          page tries to connect again by itself and then catches up; commands
          still go through if the board can be reached.
        </p>
      ) : null}
    </div>
  );
}

/** A first connection takes a moment; only a long one is worth a word. */
function useSlow(waiting: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    if (!waiting) return;
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [waiting]);
  return waiting && slow;
}
