import { messageText } from '../corpus/message.js';
import { COMMON_WORD, RARE_WORD } from '../corpus/words.js';
import type { DataSet } from '../set-up/data-set.js';

const LONGEST = 100;

/** What is looked for; the kinds of the specification and both ends of each. */
export function searchTerms({ seed, size }: DataSet): Record<string, string> {
  const [middle, last] = [
    messageText(seed, size >> 1),
    messageText(seed, size),
  ];
  const part = (text: string, length: number) =>
    [...text.replace(/\s+/g, ' ')]
      .slice(5, 5 + length)
      .join('')
      .trim();
  return {
    'two letters, common': 'th',
    'two letters, rare': 'xq',
    'two letters, absent': 'ƕþ',
    'a common word': COMMON_WORD,
    'a rare word': RARE_WORD,
    'an absent word': 'zyzzyvaqux',
    'a common word, absent end': 'the boardxqz',
    'three Han characters': '不丞丈',
    'two Han characters, common': '一丁',
    Cyrillic: 'абв',
    'Arabic, absent': 'هههههه',
    'thirty characters': part(middle.body, 30),
    'a hundred characters': part(last.body, LONGEST),
    'a hundred, absent': `${part(middle.body, LONGEST - 4)}qxzj`,
  };
}
