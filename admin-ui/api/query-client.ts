import { QueryClient } from '@tanstack/react-query';
import { Refusal } from './request.js';

const TRIES = 3;

/**
 * Nothing is asked again behind the reader's back: lists change when their
 * "new" hint is taken. Only what failed on the way is tried again.
 */
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

/** Reads again what is kept under the keys that begin like this. */
export function reread(...queryKey: unknown[]): void {
  void queryClient.invalidateQueries({ queryKey });
}

/** Looks again whether there is a session; without one, the sign-in shows. */
export function sessionEnded(): void {
  reread('access');
}
