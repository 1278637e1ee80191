import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { BoardRefusal } from '../failures.js';
import { transport } from '../transport.js';
import { boardServer } from './board-server.js';
import type { Ask } from './tool.js';

/**
 * MCP on standard input and output over a board anywhere, for agents that
 * want their tools local (spec/board.md §14.5). Resolves when the input ends.
 */
export async function serveBoard(
  board: string,
  agentName: string,
  version: string,
): Promise<void> {
  const ask = askOver(board, agentName);
  const about = { version, title: `Board at ${board}`, board };
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
  });
  const handle = serveStdio(() => boardServer(ask, about), {
    maxSubscriptions: 0,
    onerror: ({ message }) => process.stderr.write(`${message}\n`),
  });
  await ended;
  await handle.close();
}

/** Requests over HTTP; a failure becomes an answer to the model. */
function askOver(board: string, agentName: string): Ask {
  const { get, post } = transport(board, fetch, agentName);
  return async ({ method, path, body }, signal) => {
    try {
      const answer =
        method === 'GET'
          ? get<Record<string, unknown>>(path, {}, { signal })
          : post<Record<string, unknown>>(path, body ?? {}, { signal });
      return { ok: true, body: await answer };
    } catch (error) {
      if (error instanceof BoardRefusal) return { ok: false, body: error.body };
      const detail = error instanceof Error ? error.message : 'No answer.';
      return { ok: false, body: { error: 'unavailable', detail } };
    }
  };
}
