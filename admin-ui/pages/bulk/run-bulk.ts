import type { CommandInput } from '../../../server/dashboard/all-commands.js';
import type { BulkSeen } from '../../../server/dashboard/commands/bulk.js';
import { ask } from '../../api/ask.js';
import { isRefusal } from '../../api/request.js';
import type { Chosen } from '../queue/use-selection.js';

/** At most per call (`bulk.add`). */
const BATCH = 500;
const AGAIN_MS = 1000;

/** Idempotent: a repeated call after a lost answer is the same bulk. */
export async function beginBulk(
  decision: CommandInput<'bulk.begin'>,
  chosen: readonly Chosen[],
): Promise<string> {
  const { bulk } = decision;
  await ask('bulk.begin', decision);
  for (let at = 0; at < chosen.length; at += BATCH) {
    const some = chosen.slice(at, at + BATCH);
    const items = some.map(({ subject, seen }) => ({ subject, seen }));
    await ask('bulk.add', { bulk, items });
  }
  return bulk;
}

/** Retries lost connections and busy boards: nothing is decided twice. */
export async function runBulk(
  bulk: string,
  signal: AbortSignal,
  progress: (state: BulkSeen) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const { settled: _, ...state } = await ask('bulk.run', { bulk });
      if (signal.aborted) return;
      progress(state);
      if (state.state !== 'open' || state.waiting === 0) return;
    } catch (error) {
      const passes =
        isRefusal(error) && (error.status === 0 || error.status === 503);
      if (!passes) throw error;
      const { retry_after_seconds: wait } = error.body;
      const ms = typeof wait === 'number' ? wait * 1000 : AGAIN_MS;
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
  }
}
