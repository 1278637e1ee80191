import { useTimeout } from '@mantine/hooks';
import { queryClient, reread } from '../api/query-client.js';
import { useAsk } from '../api/use-ask.js';
import { useEvents } from '../live/use-live.js';

const REST_MS = 4000;
const EVERY_MS = 30_000;

/** The figures of now. */
export function useOverview() {
  return useAsk('overview.read', {});
}

/**
 * The same, asked again soon after an event, and now and then while the page
 * can be seen; used once, by what is always there.
 */
export function useFreshOverview() {
  const { start } = useTimeout(() => reread('overview.read'), REST_MS);
  useEvents((event) => {
    if (event.kind !== 'snapshot') return start();
    queryClient.setQueryData(['overview.read', {}], event.overview);
  });
  return useAsk('overview.read', {}, { refetchInterval: EVERY_MS });
}
