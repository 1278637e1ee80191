import { useEffect, useState } from 'react';
import { useLiveState } from '../live/use-live.js';

const PATIENCE_MS = 4000;

/** A lost connection shows at once, and that it came back is said aloud. */
export function ConnectionBanner() {
  const state = useLiveState();
  const [slow, setSlow] = useState(false);
  // A first connection takes a moment; only a long one is worth a word.
  useEffect(() => {
    setSlow(false);
    if (state !== 'connecting') return;
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const lost = state === 'lost' || (state === 'connecting' && slow);
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
