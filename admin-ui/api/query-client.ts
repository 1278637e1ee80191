import { QueryClient } from '@tanstack/react-query';
import { Refusal } from './refusal.js';

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
