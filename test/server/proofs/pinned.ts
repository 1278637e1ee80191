import type { Verdict } from '../../../protocol/verdict.js';
import { parseVkey, type Vkey } from '../../../protocol/vkey.js';
import type { TestBoard } from '../../support/board.js';

/** The value of an accepted verdict; fails the test on a refusal. */
export function taken<T, R extends string>(verdict: Verdict<T, R>): T {
  if (!verdict.ok) throw new Error(`refused: ${verdict.reason}`);
  return verdict.value;
}

/** The board's log key as a stranger pins it. */
export async function pinnedKey(test: TestBoard): Promise<Vkey> {
  const { body } = await test.as().get('/api/protocol');
  return taken(parseVkey(body.signatures.log.vkey));
}
