import { useMutation, useQuery } from '@tanstack/react-query';
import type {
  AnyName,
  CommandAnswers,
  CommandInput,
  CommandName,
  ReadName,
  WriteName,
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
  return await withCredential(() =>
    live.isConnected()
      ? live.ask(name, input)
      : post<N>(`/do/${name}`, input as object),
  );
}

/** The same for a change: its events are own ones. */
export async function change<N extends WriteName>(
  name: N,
  input: CommandInput<N>,
): Promise<CommandAnswers[N]> {
  const changed = changedBy(name, input as Readonly<Record<string, unknown>>);
  noteOwn(changed);
  try {
    return await ask(name, input);
  } finally {
    noteOwn(changed);
  }
}

/** Cached by name and input. */
export function useAsk<N extends CommandName>(
  name: N,
  input: CommandInput<N>,
  more: { enabled?: boolean; gcTime?: number; refetchInterval?: number } = {},
) {
  const queryFn = () => ask(name, input);
  return useQuery({ queryKey: [name, input], queryFn, ...more });
}

/** On request, never retried by itself. */
export function useRead<N extends ReadName>(
  name: N,
  onSuccess: (answer: CommandAnswers[N]) => void = () => {},
) {
  const mutationFn = (input: CommandInput<N>) => ask(name, input);
  return useMutation({ mutationFn, onSuccess });
}

/** The same for a change. Where a colleague was first, the list is read again. */
export function useCommand<N extends WriteName>(
  name: N,
  onSuccess: (answer: CommandAnswers[N]) => void = () => {},
) {
  return useMutation({
    mutationFn: (input: CommandInput<N>) => change(name, input),
    onSuccess,
    onError: (error) => {
      if (!isRefusal(error, 'decision_conflict')) return;
      const { published_at: isOver } = Object(error.body.current);
      if (!isOver) reread(`${name.split('.')[0]}.list`);
    },
  });
}

export function useGet<N extends AnyName>(path: string) {
  const queryFn = () => withCredential(() => get<N>(path));
  return useQuery({ queryKey: ['get', path], queryFn });
}

/** With step-up; reads `renews` again, also where a colleague was first. */
export function usePost<N extends AnyName = AnyName>(
  renews: readonly string[],
  onSuccess: (answer: CommandAnswers[N]) => void = () => {},
) {
  return useMutation({
    mutationFn: ({ path, body }: { path: string; body?: object }) =>
      withCredential(() => post<N>(path, body)),
    onSuccess,
    onSettled: () => {
      for (const path of renews) reread('get', path);
    },
  });
}
