import { parseUrl } from '../../protocol/parse-url.js';
import { CommandFailure } from './failure.js';

/** Without a final slash. */
export function boardAddress(text: string): string {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CommandFailure(
      `--board must be an address such as https://board.example, not "${text}".`,
    );
  }
  return url.href.replace(/(?<!\/)\/+$/, '');
}

/** One clear line when nobody answers. */
export async function fetchBoard(
  url: string,
  init: RequestInit = {},
): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'error', ...init });
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause;
    throw new CommandFailure(
      `No board answers at ${new URL(url).origin} (${cause?.code ?? (error as Error).name}); start it, or name another with --board.`,
    );
  }
}
