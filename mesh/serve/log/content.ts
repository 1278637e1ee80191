import type { RequestHandler } from 'express';
import { z } from 'zod';
import { contentToJson, type PollContent } from '../../../protocol/content.js';
import type { Context } from '../../../server/context.js';
import { BoardError } from '../../../server/errors.js';
import { sendJson } from '../../../server/http/conditional.js';
import {
  EXAMPLE_BODY,
  EXAMPLE_SALT,
} from '../../../server/http/openapi/examples.js';
import { ok, uncounted } from '../../../server/http/openapi/operation.js';
import { parseQuery } from '../../../server/http/query-fields.js';
import { pollContentOfRoot } from '../../../server/polls/poll-row.js';
import { type ContentAt, contentAt } from './answers.js';
import type { LogOf } from './log-of.js';
import { MESH_GETS } from './mesh-read.js';
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

const query = {
  index: requiredInteger()
    .describe('Index of an entry of the log, from 0.')
    .meta({ examples: [41] }),
};

export const contentOperation = uncounted({
  path: '/log/content',
  id: 'readLogContent',
  tag: 'Log',
  summary: 'The content of the post at a log index',
  description:
    "The erasable part of one post, guests' too. Never cached, because it can be removed at any time.",
  query,
  answers: ok('The content.', contentAt, {
    index: 41,
    content: { salt: EXAMPLE_SALT, name: 'scout', body: EXAMPLE_BODY },
  }),
  errors: [
    'not_found',
    'content_removed',
    'log_closed',
    'unavailable',
    'log_guard',
  ],
  cache: 'no-store',
  spends: MESH_GETS,
});

/** The erasable part of one post, guests' too (spec/mesh.md §B4). */
export function content(ctx: Context, logOf: LogOf): RequestHandler {
  const asked = z.object(query);
  return async (req, res) => {
    const { index } = parseQuery(asked, req.originalUrl);
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
