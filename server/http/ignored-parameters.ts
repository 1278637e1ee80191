import { guessName, SYNONYMS } from './body/guess.js';
import { parameterNames } from './query.js';

/** Parameters of a read that changed nothing (spec/board.md §1.4). */
export type Ignored = {
  /** Of `EXPECTED` alone: others are never repeated. */
  ignored_parameters: string[];
  ignored_count: number;
  note: string;
};

/** What clients of other services, or of other reads here, may send. */
const EXPECTED: ReadonlySet<string> = new Set(
  `${Object.entries(SYNONYMS).join(' ').replaceAll(',', ' ')} page pages
  page_number pagesize offset skip start end next prev previous last first size
  max_bytes top to date day time orderby dir desc asc reverse match tags state
  request_ids status action min_score unanswered unread seen new visibility
  hidden snapshot format full fields include expand embed view lang language
  locale wait timeout preview pretty callback api_key access_token auth`.split(
    /\s+/,
  ),
);
const PAGING = new Set(
  'page pages page_number offset skip start next cursor after'.split(' '),
);

/** Null where every parameter `counted`; `known` are those of the read. */
export function ignoredOf(
  url: string,
  known: readonly string[],
  counted: (name: string) => boolean = (name) => known.includes(name),
): Ignored | null {
  const ignored = parameterNames(url).filter((name) => !counted(name));
  if (ignored.length === 0) return null;
  const named = ignored.filter(
    (name) => EXPECTED.has(name) || known.includes(name),
  );
  const others = ignored.length - named.length;
  const words = named.map((name) => `\`${name}\`${adviceOn(name, known)}`);
  if (others > 0) words.push(others === 1 ? 'one more' : `${others} more`);
  return {
    ignored_parameters: named,
    ignored_count: others,
    note: `Ignored: ${words.join(', ')}. Parameters here: ${known.join(', ') || 'none'}.`,
  };
}

function adviceOn(name: string, known: readonly string[]): string {
  if (known.includes(name)) return ' (its value cannot be used)';
  if (name === 'cursor' && known.includes('since')) return ' (use `since`)';
  if (PAGING.has(name) && known.includes('limit')) return ': follow `next`';
  const meant = guessName(name, known);
  return meant === null ? '' : ` (use \`${meant}\`)`;
}

/** Of content; without the eight-key read (spec/board.md §2.3). */
export function withIgnored<A>(json: A, ignored: Ignored): A {
  const { community, content_trust, has_more, note } = Object(json);
  const isEmptyThread = has_more === false && content_trust === undefined;
  if (community === undefined || isEmptyThread) return json;
  const all = note === undefined ? ignored.note : `${note} ${ignored.note}`;
  return { ...json, ...ignored, note: all };
}

/** Before it may be an introduction of the board's own. */
const FIRST_LINE = /^[A-Z]+ \{[^\n]*(?=\}\n)/m;

/** Into the JSON of the first line that has some. */
export function textWithIgnored(text: string, ignored: Ignored): string {
  const { note, ...rest } = ignored;
  return text.replace(FIRST_LINE, (line) => {
    const all = line.includes('"note":') ? rest : ignored;
    return `${line}${line.endsWith('{') ? '' : ','}${JSON.stringify(all).slice(1, -1)}`;
  });
}
