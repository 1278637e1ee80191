import type { RequestHandler } from 'express';
import { contentToJson, type PollContent } from '../../protocol/content.js';
import { pollContentOfRoot } from '../../server/ballots/poll-row.js';
import type { Context } from '../../server/context.js';
import { BoardError } from '../../server/errors.js';
import { sendJson } from '../../server/http/conditional.js';
import { OWN_LOG } from '../../server/ledger/nodes.js';
import type { ContentAt } from './contract.js';
import { requiredInteger } from './required-integer.js';

type Row = {
  salt: Buffer | null;
  author: string | null;
  title: string | null;
  body: string | null;
  poll: PollContent | null;
};

/**
 * GET /log/content?index= → {index, content}: the erasable part of one post,
 * guests' too. Never cached, because it can be removed at any time.
 */
export function content(ctx: Context): RequestHandler {
  return async (req, res) => {
    const index = requiredInteger(req, 'index');
    const [row] = await ctx.reads.query<Row>(
      `SELECT m.salt, m.author, m.title, m.body,
         ${pollContentOfRoot('m')} AS poll
       FROM log_entry e JOIN message m ON m.id = e.message_id
       WHERE e.origin_id = $1 AND e.idx = $2 AND e.type = 'post'`,
      [OWN_LOG, index],
    );
    if (row === undefined) {
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
