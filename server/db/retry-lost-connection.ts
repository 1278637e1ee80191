/**
 * A session that was ended, or whose connection broke: what it did last may
 * have happened or not, and another connection may well succeed.
 */
const CODES = /^(?:57P0[12]|ECONNRESET|EPIPE)$/;
const MESSAGES =
  /^(?:Connection terminated|Client has encountered a connection)/;

/** Whether a statement or COMMIT was left without an answer. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return CODES.test(code ?? '') || MESSAGES.test(message ?? '');
}

/**
 * Does work that counts once however often it is done. When its connection is
 * lost, on the way or at COMMIT, it is done once more on another, and so finds
 * what the first had done (spec/board.md §5.6); `lost` is then true. What fails
 * again is the caller's `503 unavailable`.
 */
export async function onceMore<T>(
  work: (lost: boolean) => Promise<T>,
): Promise<T> {
  try {
    return await work(false);
  } catch (error) {
    if (!isConnectionLost(error)) throw error;
    return await work(true);
  }
}
