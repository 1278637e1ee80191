import { useNavigate } from '@tanstack/react-router';
import { undoSearch } from './last-decision.js';
import { useKeys } from './use-keys.js';

/** u: a new decision that takes the last own one back. */
export function useUndo(): void {
  const go = useNavigate();
  useKeys({
    u: () => {
      const last = undoSearch();
      if (last === null) return;
      const { subject, undo } = last;
      void go({
        to: '/item/$subject',
        params: { subject },
        search: { undo } as never,
      });
    },
  });
}
