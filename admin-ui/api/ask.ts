import type {
  CommandAnswers,
  CommandInput,
  CommandName,
} from '../../server/dashboard/commands/index.js';
import { live } from '../live/live-socket.js';
import { changedBy, noteOwn } from './own-changes.js';
import { sessionEnded } from './query-client.js';
import { isRefusal } from './refusal.js';
import { post } from './request.js';
import { stepUp } from './step-up.js';

/**
 * Gives the credential again where the node asks for it, and does the work a
 * second time. An ended session shows the sign-in.
 */
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

/**
 * One command: over the socket with its acknowledgement while there is one,
 * else over HTTP, which answers alike.
 */
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
