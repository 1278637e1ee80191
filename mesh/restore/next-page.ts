import { boardAddress } from '../../protocol/address.js';
import { equalBytes } from '../../protocol/bytes.js';
import type { Content } from '../../protocol/content.js';
import type { FeedPage } from '../../protocol/feed-page.js';
import type { Frontier } from '../../protocol/tree.js';
import { parseVkey, type Vkey } from '../../protocol/vkey.js';
import { BoardError } from '../../server/errors.js';
import { ONLY_PUBLIC } from '../peers/fetch-identity.js';
import { fetchContent } from '../pull/fetch/fetch-page.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { matching } from '../pull/verify/judge-post.js';
import { parseLeaf } from '../pull/verify/prepare-page.js';
import { askListing } from '../witness/ask-peer.js';
import { headsWithin, type SeenMirror, verifiedPage } from './find-mirrors.js';
import type { RestoreParts } from './restore-log.js';

/** A setting, its silence, or another name. */
export async function noMirror(
  client: PeerClient,
  vkey: Vkey,
  urls: readonly string[],
): Promise<BoardError> {
  const parts = await Promise.all(urls.map((url) => whyNot(client, vkey, url)));
  return new BoardError(
    'origin_unreachable',
    `None of ${urls.length} boards shows a mirror of ${vkey.name} under this board's own signature: ${parts.join('; ')}. Otherwise name others with --from.`,
  );
}

export async function whyNot(
  client: PeerClient,
  { publicKey }: Vkey,
  url: string,
): Promise<string> {
  const base = boardAddress(url);
  if (base === null) return `${url} is no address of a board`;
  if (!client.mayAsk(base)) return `${base} was not asked (${ONLY_PUBLIC})`;
  const time = AbortSignal.timeout(5000);
  const listing = await askListing(client, base, null, time);
  if (!listing.ok) {
    const { reason } = listing;
    if (reason === 'no_document')
      return `${base} answered with no mesh document`;
    return reason.startsWith('http_')
      ? `${base} answered HTTP ${reason.slice(5)}`
      : `${base} did not answer (${reason}; a name of a private address needs MESH_ALLOW_PRIVATE)`;
  }
  const named = listing.value.peers.filter(({ log_vkey: logVkey }) => {
    const parsed = parseVkey(logVkey);
    return parsed.ok && equalBytes(parsed.value.publicKey, publicKey);
  });
  if (named.length === 0) return `${base} mirrors no log of this key`;
  const names = named.map(({ name }) => name).join(', ');
  return `${base} mirrors this key as ${names}, so set BOARD_NAME to that`;
}

/**
 * From the first mirror that gives a good one; others go to the end of `turns`.
 * @throws BoardError `decision_conflict` where mirrors have different
 *   histories: unknown which one readers follow
 */
export async function nextPage(
  { client }: Pick<RestoreParts, 'client'>,
  turns: SeenMirror[],
  frontier: Frontier,
) {
  const faults: string[] = [];
  for (const mirror of [...turns]) {
    if (mirror.size <= frontier.size) continue;
    const next = await verifiedPage(client, mirror, frontier, 'all');
    // It has shown more, so an empty page is wrong.
    const isGood = next.ok && next.value.page.entries.length > 0;
    if (isGood) {
      const { other } = headsWithin(turns, frontier, next.value.page);
      if (other[0] !== undefined) throw twoHistories(mirror, other[0]);
      return { ...next.value, mirror };
    }
    const fault = next.ok ? 'an empty page' : next.reason;
    faults.push(`${mirror.source.baseUrl} (${fault})`);
    turns.splice(turns.indexOf(mirror), 1);
    turns.push(mirror);
  }
  throw new BoardError(
    'origin_unreachable',
    `No mirror gave a good page after ${frontier.size} entries: ${faults.join(', ')}; what was pulled stays, run the command again or name another mirror with --from.`,
  );
}

function twoHistories(one: SeenMirror, other: SeenMirror): BoardError {
  const of = ({ source, size }: SeenMirror) =>
    `${source.baseUrl} (${size} entries)`;
  return new BoardError(
    'decision_conflict',
    `The mirrors ${of(one)} and ${of(other)} hold two histories of one log, and this board's key has signed both. Neither can be dropped, and nothing was signed here: go on with "reserve-board log new-generation", as the page "Quarantined by peers" of docs/recover.md says.`,
  );
}

/**
 * Verified, from any mirror.
 * @throws BoardError `origin_unreachable` where a mirror that may have a
 *   missing text does not answer.
 */
export async function contentsOf(
  parts: Pick<RestoreParts, 'client'>,
  { page, mirror }: { page: FeedPage; mirror: SeenMirror },
  mirrors: readonly SeenMirror[],
): Promise<Map<number, Content>> {
  const contents = new Map<number, Content>();
  const others = mirrors.filter((one) => one !== mirror);
  for (const [place, entry] of page.entries.entries()) {
    const { post, content } = parseLeaf(entry);
    if (post === null) continue;
    const index = page.from + place;
    const hash = post.statement.content;
    const found =
      matching(content, hash) ??
      (await contentElsewhere(parts, hash, index, others));
    if (found !== null) contents.set(index, found);
  }
  return contents;
}

async function contentElsewhere(
  { client }: Pick<RestoreParts, 'client'>,
  contentHash: Uint8Array,
  logIndex: number,
  mirrors: readonly SeenMirror[],
): Promise<Content | null> {
  const silent: string[] = [];
  for (const { source, size } of mirrors) {
    if (size <= logIndex) continue;
    const post = { logIndex, contentHash };
    const content = await fetchContent(client, source, post);
    if (typeof content !== 'string') return content;
    if (content === 'unreachable') silent.push(source.baseUrl);
  }
  if (silent.length === 0) return null;
  throw new BoardError(
    'origin_unreachable',
    `${silent.join(', ')} did not answer when asked for the text of entry ${logIndex}, which no other board kept. What was pulled stays; run the command again, or name the other boards with --from.`,
  );
}
