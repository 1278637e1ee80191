import type { TestBoard } from '../../../support/board.js';

/** The statements that writes sent while `work` ran. */
export async function statementsSent(
  test: TestBoard,
  work: () => Promise<void>,
): Promise<string[]> {
  const writes = test.board.context.writes as { query: unknown };
  const { query } = writes as { query: (text: string) => unknown };
  const texts: string[] = [];
  writes.query = (...call: [string]) => {
    texts.push(call[0]);
    return query(...call);
  };
  try {
    await work();
  } finally {
    writes.query = query;
  }
  return texts;
}
