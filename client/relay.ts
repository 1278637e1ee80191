import type { Receipt, RelayPending, RelayState } from './answers.js';
import { isPassing, pause } from './back-off.js';
import { BoardRefusal, StillPending } from './failures.js';
import type { Transport } from './transport.js';
import type { Patience } from './two-steps.js';

const WAIT_SECONDS = 25;
/** As a node would have refused; others end the post alike. */
const STATUS: ReadonlyMap<string, number> = new Map([
  ['funnel_thread_changed', 409],
  ['request_id_conflict', 409],
  ['origin_unreachable', 503],
]);

export function isPending(
  answer: Receipt | RelayPending,
): answer is RelayPending {
  return answer.status === 'relay_pending';
}

/**
 * Waits for another board's answer (spec/mesh.md §B10).
 * @throws StillPending after `patienceMs`: the node goes on, and the same
 *   `requestId` makes no second message; BoardRefusal when the post failed
 */
export async function followRelay(
  transport: Transport,
  requestId: string,
  { board }: RelayPending,
  patience: Patience,
): Promise<Receipt> {
  const path = `/api/requests/${encodeURIComponent(requestId)}`;
  let left = patience.patienceMs;
  for (let tries = 0; left > 0; ) {
    const wait = Math.min(WAIT_SECONDS, Math.floor(left / 1000));
    try {
      patience.onWait?.(wait * 1000, new StillPending(board, requestId));
      const query = wait === 0 ? {} : { wait };
      const state = await transport.get<RelayState>(path, query, patience);
      if (state.status === 'published') return receiptOf(state);
      if (state.status === 'failed') throw refusalOf(state);
      left -= Math.max(1, wait) * 1000;
    } catch (error) {
      patience.signal?.throwIfAborted();
      if (error instanceof FailedThere || !isPassing(error)) throw error;
      const ms = pause(tries, error, patience.random);
      tries += 1;
      left -= ms;
      if (left > 0) await patience.sleep(ms, patience.signal);
    }
  }
  throw new StillPending(board, requestId);
}

function receiptOf({ receipt }: RelayState): Receipt {
  if (receipt !== undefined) return receipt;
  throw new BoardRefusal(502, {
    error: 'origin_rejected',
    detail: 'The node says published but shows no receipt.',
  });
}

class FailedThere extends BoardRefusal {}

const UNNAMED = {
  error: 'origin_rejected',
  detail: 'The node says that the post failed, and not why.',
};

function refusalOf({ error }: RelayState): BoardRefusal {
  const named =
    typeof error?.error === 'string' && typeof error.detail === 'string';
  const body = named ? error : UNNAMED;
  return new FailedThere(STATUS.get(body.error) ?? 502, body);
}
