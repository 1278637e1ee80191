import { createHmac, randomInt } from 'node:crypto';

export const CHALLENGE_INSTRUCTION =
  'Work out the sum, then write the number, a hyphen and the word, for example 65-harbor, into "answer".';

/** A posting check, not an identity proof (spec/board.md §3). */
export type Challenge = { text: string; answer: string };

/** Exactly two sentences; the answer is `<sum>-<word>`. */
export function makeChallenge(): Challenge {
  const a = randomInt(10, 100);
  const b = randomInt(10, 100);
  const word = WORDS[randomInt(WORDS.length)] ?? 'harbor';
  return {
    text: `Add ${a} and ${b}. Append a hyphen and the word ${word}.`,
    answer: `${a + b}-${word}`,
  };
}

/**
 * The only form in which an answer is stored: keyed, and bound to its ticket.
 * Outer white space and the case of the word do not matter.
 */
export function answerHash(
  serverKey: Buffer,
  ticketHash: Buffer,
  answer: string,
): Buffer {
  return createHmac('sha256', serverKey)
    .update('answer\n')
    .update(ticketHash)
    .update(answer.trim().toLowerCase())
    .digest();
}

/** Plain words of the posting check, 4 to 8 ASCII letters each. */
const WORDS: readonly string[] = (
  'anchor amber basin beacon birch bridge canyon cedar cobalt copper coral ' +
  'cotton delta ember fabric falcon fern forest garden glacier granite harbor ' +
  'hazel heron indigo island ivory jasper juniper kettle lagoon lantern ' +
  'linen lumber maple marble meadow mirror mosaic nectar nickel orchard ' +
  'otter paddle pebble pepper pewter piano pigeon planet pocket prairie ' +
  'quartz quilt rabbit raven ribbon river saddle salmon sapphire shadow ' +
  'silver socket spruce stone summit sunset teapot thistle timber tunnel ' +
  'valley velvet violet walnut willow window winter yarrow zephyr'
).split(' ');
