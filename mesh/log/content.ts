import type { RequestHandler } from 'express';
import { contentToJson, type PollContent } from '../../protocol/content.js';
import { pollContentOfRoot } from '../../server/ballots/poll-row.js';
import type { Context } from '../../server/context.js';
import { BoardError } from '../../server/errors.js';
import { sendJson } from '../../server/http/conditional.js';
import type { ContentAt } from './contract.js';
import type { LogOf } from './log-of.js';
import { requiredInteger } from './required-integer.js';

type Row = {
  salt: Buffer | null;
  author: string | null;
  title: string | null;
  body: string | null;
  poll: PollContent | null;
  kept: boolean;
};

const OWN = `SELECT m.salt, m.author, m.title, m.body,
    ${pollContentOfRoot('m')} AS poll, true AS kept
  FROM log_entry e JOIN message m ON m.id = e.message_id
  WHERE e.origin_id = $1 AND e.idx = $2 AND e.type = 'post'`;

// A text that this mirror does not keep is not there: only the board itself,
// or a removal that reached us, can say that it is gone.
const MIRRORED = `SELECT m.salt, m.author, m.title, m.body, m.poll,
    m.status IN ('ok', 'removed') AS kept
  FROM mirror_message m WHERE m.origin_id = $1 AND m.log_index = $2
    AND m.hidden_at IS NULL`;

/**
 * GET {log}/content?index= → {index, content}: the erasable part of one post,
 * guests' too. Never cached, because it can be removed at any time.
 */
export function content(ctx: Context, logOf: LogOf): RequestHandler {
  return async (req, res) => {
    const index = requiredInteger(req, 'index');
    const { originId, own } = logOf(req);
    const [row] = await ctx.lookups.query<Row>(own ? OWN : MIRRORED, [
      originId,
      index,
    ]);
    if (row === undefined || !row.kept) {
      throw new BoardError('not_found', 'No post stands at this log index.');
    }
    const { salt, author, title, body, poll } = row;
    if (salt === null || author === null || body === null) {
      throw new BoardError(
        'content_removed',
        'The content of this post was removed; its log entry stays.',
      );
    }
    const shown = contentToJson({
      salt,
      name: author,
      ...(title === null ? {} : { title }),
      body,
      ...(poll === null ? {} : { poll }),
    });
    const answer: ContentAt = { index, content: shown };
    sendJson(req, res, answer, { cache: 'no-store' });
  };
}
