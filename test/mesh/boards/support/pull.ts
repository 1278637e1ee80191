import { applyPage } from '../../../../mesh/pull/store/apply-page.js';
import { readChains } from '../../../../mesh/pull/store/keys.js';
import { readMirrorLog } from '../../../../mesh/pull/store/mirror-log.js';
import { readPosts } from '../../../../mesh/pull/store/posts.js';
import { judgePage } from '../../../../mesh/pull/verify/judge-page.js';
import {
  namedIn,
  parseLeaf,
} from '../../../../mesh/pull/verify/prepare-page.js';
import { textRules } from '../../../../mesh/pull/verify/text-rules.js';
import {
  feedPageFromJson,
  verifyFeedPage,
} from '../../../../protocol/feed-page.js';
import { verifySignature } from '../../../../protocol/signing.js';
import { formatVkey } from '../../../../protocol/vkey.js';
import { Peer } from '../../../../server/db/entities/peer.js';
import type { TestBoard } from '../../../support/board.js';
import { rows } from '../../../support/rows.js';

/**
 * Brings a mirror up to its origin, page by page, and no further: reads are
 * tested against a mirror that stands still.
 */
export async function pull(to: TestBoard, from: TestBoard): Promise<void> {
  const { context } = to.board;
  const sql = context.writes;
  const { board, keys } = from.board.context;
  const peer = await rows(to).findOneByOrFail(Peer, { name: board.name });
  const keeps = peer.trust === 'mirror' || peer.trust === 'relay';
  const keeping = { asked: peer.content, keeps };
  for (;;) {
    const log = await readMirrorLog(sql, peer.originId);
    if (log === null) throw new Error('the mirror is not opened');
    const path = `/log/feed?from=${log.frontier.size}&content=${peer.content}`;
    const { text } = await from.as('198.51.100.1').get(path);
    const page = feedPageFromJson(JSON.parse(text));
    if (!page.ok) throw new Error(`${page.reason}: ${text}`);
    const verified = verifyFeedPage(page.value, log.frontier, log.logVkey);
    if (!verified.ok) throw new Error(verified.reason);
    if (page.value.entries.length === 0) return;
    const leaves = page.value.entries.map(parseLeaf);
    const named = namedIn(leaves);
    const judged = judgePage(leaves, {
      ...log,
      board: board.name,
      logVkey: formatVkey(keys.log.vkey),
      firstIndex: log.frontier.size,
      chains: await readChains(sql, peer.originId, named.agents),
      posts: await readPosts(sql, peer.originId, named.posts),
      keeping,
      textRules: textRules(context.limits),
      verify: verifySignature,
    });
    const store = {
      db: sql,
      now: () => context.clock.now(),
      instance: 'test',
    };
    const cost = { entries: 0, contentBytes: 0, backfillBytes: 0 };
    await applyPage(store, {
      log,
      verified: verified.value,
      judged,
      cost,
      fromOrigin: true,
      live: false,
      keeps,
    });
    context.events.emit('mirror');
  }
}
