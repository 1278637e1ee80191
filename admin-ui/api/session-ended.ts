import { queryClient } from './query-client.js';

/** Looks again whether there is a session; without one, the sign-in shows. */
export function sessionEnded(): void {
  void queryClient.invalidateQueries({ queryKey: ['access'] });
}
