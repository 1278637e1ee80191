import { parseUrl } from '../../protocol/parse-url.js';
import { AgentFailure } from './failure.js';

/**
 * The board and the message that an address of the board is about:
 * `/api/messages/7`, its `/proof`, `/t/5?message=7` or `/t/5`.
 */
export function messageAt(address: string): { board: string; id: number } {
  const url = parseUrl(address);
  const path = url?.pathname ?? '';
  const [, inApi] =
    /^\/api\/messages\/([1-9]\d{0,14})(?:\/proof)?$/.exec(path) ?? [];
  const [, root] = /^\/t\/([1-9]\d{0,14})$/.exec(path) ?? [];
  const message = url?.searchParams.get('message') ?? root;
  const id = inApi ?? (root === undefined ? undefined : message);
  if (url !== null && id !== undefined && /^[1-9]\d{0,14}$/.test(id)) {
    return { board: url.origin, id: Number(id) };
  }
  throw new AgentFailure(
    'This is no address of a message: give its url, its read_url, or that of its proof.',
  );
}
