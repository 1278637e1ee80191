import { useNavigate } from '@tanstack/react-router';
import { reread } from '../api/query-client.js';
import { say } from '../parts/say.js';
import { useKeys } from './use-keys.js';

const NAME = 'operators-last-decision';

type Last = { subject: string; undo: string };

/** Also keeps it for `useUndo`. */
export function useTellDecision() {
  const go = useNavigate();
  return (subject: string, id: number, message: string): void => {
    const undo = String(id);
    const last: Last = { subject, undo };
    sessionStorage.setItem(NAME, JSON.stringify(last));
    reread('overview.read');
    const open = (search: object) =>
      void go({
        to: '/item/$subject',
        params: { subject },
        search: search as never,
      });
    say(message, { Undo: () => open({ undo }), View: () => open({}) });
  };
}

/** u: reverses the last own decision. */
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
