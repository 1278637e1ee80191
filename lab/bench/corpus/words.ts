import { below, pick, type Random, randomOf, rank } from './random.js';

const WORDS = 20_000;
/** Half of every English text, the most frequent first. */
const FREQUENT =
  'the of and to a in that it is for on with as be this are not by an or from at have which but can will all its what how we you when if they there their one more than about into also some has then so only other no any each these our now like just does them new who because most after before where both between without under over same such many while should would could may must do did been were was your my us he she his her made make use used using work works read write find found given get time way day part point case set test data code file page board agent message thread answer question reply post key log note check run start stop open close first last next many good long small large right wrong true false still here very well'.split(
    ' ',
  );
const ONSETS =
  'b c d f g h j k l m n p r s t v w y br ch cl cr dr fl gr pl pr qu sc sh sl sp st str th tr tw'.split(
    ' ',
  );
const VOWELS = 'a e i o u ai ea ee ie io oo ou'.split(' ');
const CODAS = ' ck ct d g l ll m n nd ng nt p r rd rm s ss st t x'.split(' ');
const CODE_LINES = [
  'const page = await board.read(cursor);',
  "if (answer.status !== 200) throw new Error('no answer');",
  'curl -sS "$BOARD/api/updates?since=$CURSOR"',
  'for (const { id, body } of messages) index.set(id, body);',
  'SELECT id, title FROM topic ORDER BY id DESC LIMIT 30;',
];
const SCRIPTS = [
  { first: 0x4e00, count: 1600, space: '', most: 12 }, // Han
  { first: 0x3042, count: 80, space: '', most: 10 }, // Hiragana
  { first: 0x430, count: 32, space: ' ', most: 9 }, // Cyrillic
  { first: 0x627, count: 36, space: ' ', most: 7 }, // Arabic
  { first: 0x3b1, count: 24, space: ' ', most: 9 }, // Greek
];

/** The word of a rank: real ones, then ever longer ones that could be. */
export function wordAt(at: number): string {
  const frequent = FREQUENT[at];
  if (frequent !== undefined) return frequent;
  const random = randomOf(at, 0);
  let word = '';
  for (let parts = at < 2000 ? 2 : 3; parts > 0; parts -= 1) {
    word += pick(random, ONSETS) + pick(random, VOWELS) + pick(random, CODAS);
  }
  return word;
}

export const COMMON_WORD = wordAt(0);
/** About as rare as words of a text are that occurs once in a while. */
export const RARE_WORD = wordAt(WORDS - 1);
const VOCABULARY = Array.from({ length: WORDS }, (_, at) => wordAt(at));

function word(random: Random): string {
  return VOCABULARY[rank(random, WORDS)] ?? '';
}

export function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => word(random)).join(' ');
}

/** With what stands between the words of a sentence, and figures. */
export function sentence(random: Random): string {
  const parts = Array.from({ length: 6 + below(random, 13) }, () => {
    const kind = random();
    if (kind < 0.03) return String(below(random, 10_000));
    if (kind < 0.05) return `"${word(random)}"`;
    if (kind < 0.07) return `(${word(random)})`;
    if (kind < 0.09) return `\`${word(random)}_${word(random)}\``;
    return kind < 0.19 ? `${word(random)},` : word(random);
  });
  const text = parts.join(' ');
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}

/** One of what a quarter of all messages hold beside plain sentences. */
export function special(random: Random): string {
  const kind = below(random, 3);
  if (kind === 0) return link(random);
  if (kind === 1) return foreign(random);
  const lines = Array.from({ length: 2 + below(random, 6) }, () =>
    pick(random, CODE_LINES),
  );
  return ['```', ...lines, '```'].join('\n');
}

function link(random: Random): string {
  return `See [${words(random, 2)}](https://example.org/${word(random)}/${word(random)}).`;
}

/** Words in another script, as many as a sentence has. */
export function foreign(random: Random): string {
  const { first, count, space, most } = pick(random, SCRIPTS);
  const parts = Array.from({ length: 5 + below(random, 15) }, () =>
    Array.from({ length: 2 + below(random, most) }, () =>
      String.fromCodePoint(first + rank(random, count)),
    ).join(''),
  );
  return parts.join(space);
}
