import { KEY_BITS } from './layout.js';

const FACTOR = 0x5bd1e995;
const UNUSED_BITS = 32 - KEY_BITS;
/** Sequences of six are kept when this bit of their hash is 0: every other. */
const SAMPLED = 1 << (UNUSED_BITS - 1);

/** A key, how many code points it stands for, and which is the last. */
export type KeyVisitor = (key: number, length: number, at: number) => void;

/**
 * Visits the keys of every two, three and four adjacent code points of a
 * folded text and of half of every six. A text that holds a string holds all of
 * its keys; the reverse is settled by a literal check, so keys that sequences
 * share do no harm. Keys of four and six tell apart what is made of frequent
 * words.
 *
 * The keys are stored. Another choice of keys needs a migration.
 */
export function eachKey(text: string, visit: KeyVisitor): void {
  // Hashes of the last one to five code points before this one.
  let [one, two, three, four, five, count] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    let point = text.charCodeAt(at);
    if (point >= 0xd800 && point < 0xdc00) {
      point = text.codePointAt(at) ?? point;
      if (point > 0xffff) at += 1;
    }
    if (count >= 5) {
      const six = Math.imul(five + point, FACTOR);
      if ((six & SAMPLED) === 0) visit(six >>> UNUSED_BITS, 6, count);
    }
    if (count >= 4) five = Math.imul(four + point, FACTOR);
    if (count >= 3) {
      four = Math.imul(three + point, FACTOR);
      visit(four >>> UNUSED_BITS, 4, count);
    }
    if (count >= 2) {
      three = Math.imul(two + point, FACTOR);
      visit(three >>> UNUSED_BITS, 3, count);
    }
    if (count >= 1) {
      two = Math.imul(one + point, FACTOR);
      visit(two >>> UNUSED_BITS, 2, count);
    }
    one = Math.imul(point, FACTOR);
    count += 1;
  }
}
