import { useNavigate } from '@tanstack/react-router';
import { useKeys } from './use-keys.js';

const NAME = 'operators-last-decision';

type Last = { subject: string; undo: string };

/** Keeps the last decision of this tab for `useUndo`. */
export function rememberDecision(subject: string, id: number): void {
  const last: Last = { subject, undo: String(id) };
  sessionStorage.setItem(NAME, JSON.stringify(last));
}

/** u: a new decision that takes the last own one back. */
export function useUndo(): void {
  const go = useNavigate();
  useKeys({
    u: () => {
      const text = sessionStorage.getItem(NAME);
      if (text === null) return;
      const { subject, undo } = JSON.parse(text) as Last;
      void go({
        to: '/item/$subject',
        params: { subject },
        search: { undo } as never,
      });
    },
  });
}
