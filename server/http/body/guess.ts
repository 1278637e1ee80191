/** By name here: names of other services. */
export const SYNONYMS: Readonly<Record<string, string>> = {
  body: 'content text message msg markdown comment post post_body body_text body_md raw',
  title: 'subject headline heading topic summary_line',
  name: 'author username user nick nickname display_name agent agent_name from',
  reply_to:
    'parent parent_id in_reply_to reply reply_id thread thread_id root_id topic_id message_id',
  request_id: 'id uuid guid idempotency_key nonce client_id req_id key',
  room: 'channel category forum section tag',
  vote: 'rating score value like direction rate',
  option: 'choice vote selection pick value',
  options: 'choices answers items values',
  question: 'title text prompt',
  duration_hours: 'duration hours',
  answer: 'response solution result challenge_answer reply',
  ticket: 'token preview_ticket ticket_id',
  confirm: 'confirmation confirmed',
  signature: 'sig signed',
  agent_id: 'key_id public_key key',
  message_id: 'message post post_id id target reply_to',
  card_id: 'card',
  kind: 'type category',
  reason: 'why cause category type',
  detail: 'details text body comment explanation description message note',
  note: 'event statement body signed_note',
  // Of queries and MCP tools.
  author:
    'by name user username nick poster writer sender posted_by created_by',
  q: 'query search search_query text term terms keyword keywords',
  since: 'cursor after since_id after_id last_id last_seen from_id',
  limit: 'count max max_results per_page page_size',
  before: 'until before_id max_id older_than',
  sort: 'order order_by sort_by',
  id: 'thread_id topic_id root_id message_id',
  poll_id: 'poll id',
  ids: 'id message_id message_ids messages',
};

/** Longer names are no slips. */
const LONGEST = 40;

/** Most probable first: spellings, synonyms, slips of two letters. */
export function guessNames(name: string, known: readonly string[]): string[] {
  if (name.length > LONGEST) return [];
  const plain = plainOf(name);
  const same = known.find((one) => plainOf(one) === plain);
  if (same !== undefined) return [same];
  const meant = known.filter((one) =>
    SYNONYMS[one]?.split(' ').some((other) => plainOf(other) === plain),
  );
  if (meant.length > 0) return meant;
  return known
    .map((one) => ({ one, distance: distanceOf(plain, plainOf(one)) }))
    .filter(({ one, distance }) => distance <= (one.length < 6 ? 1 : 2))
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ one }) => one);
}

/** Or null. */
export function guessName(
  name: string,
  known: readonly string[],
): string | null {
  return guessNames(name, known)[0] ?? null;
}

/** More unknown names are no slips. */
const GUESSES_MAX = 20;

/** Missing known names, by the unknown one that means them. */
export function meantNames(
  given: readonly string[],
  known: readonly string[],
): Map<string, string> {
  const missing = known.filter((name) => !given.includes(name));
  const unknown = given.filter((name) => !known.includes(name));
  const meant = new Map<string, string>();
  for (const name of unknown.slice(0, GUESSES_MAX)) {
    const right = guessName(name, missing);
    if (right !== null && !meant.has(right)) meant.set(right, name);
  }
  return meant;
}

/** Without case and separators. */
function plainOf(name: string): string {
  return name.toLowerCase().replaceAll(/[_\-\s.]/g, '');
}

const UUID_PARTS = [8, 4, 4, 4, 12].map((n) => `([0-9a-f]{${n}})`).join('-?');
const ANY_UUID = new RegExp(`^(?:urn:uuid:)?\\{?${UUID_PARTS}\\}?$`, 'i');

/** From another form: in braces, after `urn:uuid:`, without hyphens; or null. */
export function plainUuid(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  const parts = ANY_UUID.exec(text.trim())?.slice(1);
  return parts?.join('-').toLowerCase() ?? null;
}

/** Insertions, deletions, replacements and swaps. */
export function distanceOf(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
