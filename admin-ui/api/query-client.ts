import { QueryClient } from '@tanstack/react-query';
import { Refusal } from './request.js';

const TRIES = 3;

/** Lists change only by their "new" hint. Only failed transport is retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
      retry: (failures, error) =>
        error instanceof Refusal && error.status === 0 && failures < TRIES,
    },
    mutations: { networkMode: 'always' },
  },
});

/** By the beginning of keys. */
export function reread(...queryKey: unknown[]): void {
  void queryClient.invalidateQueries({ queryKey });
}

/** Without a session the sign-in shows. */
export function sessionEnded(): void {
  reread('access');
}
