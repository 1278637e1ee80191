import { useTimeout } from '@mantine/hooks';
import { useAsk } from '../api/ask.js';
import { queryClient, reread } from '../api/query-client.js';
import { useEvents } from '../live/use-live.js';

const REST_MS = 4000;
const EVERY_MS = 30_000;

export function useOverview() {
  return useAsk('overview.read', {});
}

/** Refreshes after events and now and then while visible; use it once. */
export function useFreshOverview() {
  const { start } = useTimeout(() => reread('overview.read'), REST_MS);
  useEvents((event) => {
    if (event.kind !== 'snapshot') return start();
    queryClient.setQueryData(['overview.read', {}], event.overview);
  });
  return useAsk('overview.read', {}, { refetchInterval: EVERY_MS });
}
