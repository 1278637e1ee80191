import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { withCredential } from './ask.js';
import { queryClient } from './query-client.js';
import { post } from './request.js';

type Sent = { path: string; body?: object };

/**
 * A write to an address under `/admin/api`, with the credential asked again
 * where it must be; what was read from `renews` is read again.
 */
export function usePost<T = unknown>(
  renews: readonly string[],
  onSuccess?: (answer: T) => void,
): UseMutationResult<T, Error, Sent> {
  return useMutation<T, Error, Sent>({
    mutationFn: ({ path, body }) => withCredential(() => post<T>(path, body)),
    onSuccess: (answer) => {
      for (const path of renews) {
        void queryClient.invalidateQueries({ queryKey: ['get', path] });
      }
      onSuccess?.(answer);
    },
  });
}
