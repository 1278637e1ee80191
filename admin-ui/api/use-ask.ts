import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import type {
  CommandAnswers,
  CommandInput,
  CommandName,
} from '../../server/dashboard/schemas/commands.js';
import { ask, withCredential } from './ask.js';
import { get } from './request.js';

/** What a reading command answers, kept under its name and input. */
export function useAsk<N extends CommandName>(
  name: N,
  input: CommandInput<N>,
  enabled = true,
  more: { gcTime?: number } = {},
): UseQueryResult<CommandAnswers[N]> {
  return useQuery({
    queryKey: [name, input],
    queryFn: () => ask(name, input),
    enabled,
    ...more,
  }) as UseQueryResult<CommandAnswers[N]>;
}

/** A command that changes something; nothing is sent twice by itself. */
export function useCommand<N extends CommandName>(
  name: N,
  onSuccess?: (answer: CommandAnswers[N]) => void,
): UseMutationResult<CommandAnswers[N], Error, CommandInput<N>> {
  return useMutation<CommandAnswers[N], Error, CommandInput<N>>({
    mutationFn: (input) => ask(name, input),
    ...(onSuccess === undefined ? {} : { onSuccess }),
  });
}

/** What a plain address under `/admin/api` answers. */
export function useGet<T>(path: string, enabled = true): UseQueryResult<T> {
  return useQuery<T>({
    queryKey: ['get', path],
    queryFn: () => withCredential(() => get<T>(path)),
    enabled,
  });
}
