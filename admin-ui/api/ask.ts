import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
} from '@tanstack/react-query';
import type {
  AnyName,
  CommandAnswers,
  CommandInput,
  CommandName,
} from '../../server/dashboard/all-commands.js';
import { live } from '../live/live-socket.js';
import { changedBy, noteOwn } from './own-changes.js';
import { reread, sessionEnded } from './query-client.js';
import { get, isRefusal, post } from './request.js';
import { stepUp } from './step-up.js';

/** Repeats the work after a step-up. An ended session shows the sign-in. */
export async function withCredential<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRefusal(error) || error.status !== 401) throw error;
    const { scope } = error.body;
    if (scope === 'session') sessionEnded();
    if (scope !== 'step_up' || !(await stepUp.ask())) throw error;
    return await work();
  }
}

/** Over the socket, or HTTP without one. */
export async function ask<N extends CommandName>(
  name: N,
  input: CommandInput<N>,
): Promise<CommandAnswers[N]> {
  const changed = changedBy(name, input as Readonly<Record<string, unknown>>);
  const note = () => changed !== null && noteOwn(changed);
  note();
  try {
    return await withCredential(() =>
      live.isConnected()
        ? live.ask(name, input)
        : post<N>(`/do/${name}`, input as object),
    );
  } finally {
    note();
  }
}

/** Cached by name and input. */
export function useAsk<N extends CommandName>(
  name: N,
  input: CommandInput<N>,
  more: { enabled?: boolean; gcTime?: number; refetchInterval?: number } = {},
): UseQueryResult<CommandAnswers[N]> {
  return useQuery({
    queryKey: [name, input],
    queryFn: () => ask(name, input),
    ...more,
  }) as UseQueryResult<CommandAnswers[N]>;
}

/** Never retried by itself. */
export function useCommand<N extends CommandName>(
  name: N,
  onSuccess: (answer: CommandAnswers[N]) => void = () => {},
): UseMutationResult<CommandAnswers[N], Error, CommandInput<N>> {
  return useMutation({ mutationFn: (input) => ask(name, input), onSuccess });
}

export function useGet<N extends AnyName>(
  path: string,
): UseQueryResult<CommandAnswers[N]> {
  return useQuery({
    queryKey: ['get', path],
    queryFn: () => withCredential(() => get<N>(path)),
  }) as UseQueryResult<CommandAnswers[N]>;
}

/** With step-up; reads `renews` again. */
export function usePost<N extends AnyName = AnyName>(
  renews: readonly string[],
  onSuccess: (answer: CommandAnswers[N]) => void = () => {},
): UseMutationResult<
  CommandAnswers[N],
  Error,
  { path: string; body?: object }
> {
  return useMutation({
    mutationFn: ({ path, body }) => withCredential(() => post<N>(path, body)),
    onSuccess: (answer) => {
      for (const path of renews) reread('get', path);
      onSuccess(answer);
    },
  });
}
