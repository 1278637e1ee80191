import { concat } from '../protocol/bytes.js';
import { ClientRefusal } from './failures.js';

/** Inflated; above the longest thread. */
const ANSWER_BYTES = 67_108_864;

/**
 * Bounded, also inflated: an endless answer takes no memory.
 * @throws ClientRefusal `not_a_board` above 64 MiB
 */
export async function bytesOf({ body }: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = body?.getReader();
  for (
    let part = await reader?.read();
    part?.value !== undefined;
    part = await reader?.read()
  ) {
    length += part.value.length;
    if (length > ANSWER_BYTES) {
      await reader?.cancel();
      throw new ClientRefusal(
        'not_a_board',
        'The answer is longer than 64 MiB, which no answer of a board is.',
      );
    }
    parts.push(part.value);
  }
  return concat(...parts);
}
