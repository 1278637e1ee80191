import type { RequestHandler } from 'express';
import { z } from 'zod';
import { contentToJson } from '../../protocol/content.js';
import type { Context } from '../../server/context.js';
import { BoardError } from '../../server/errors.js';
import { logContent, naturalNumber } from '../../server/http/openapi/common.js';
import {
  EXAMPLE_BODY,
  EXAMPLE_SALT,
} from '../../server/http/openapi/examples.js';
import { ok, uncounted } from '../../server/http/openapi/operation.js';
import { parseQuery } from '../../server/http/query.js';
import { sendJson } from '../../server/http/send.js';
import { logOf, MESH_GETS, requiredInteger } from './log-reads.js';
import { contentAtIndex } from './logs.sql.js';

export const contentAt = z.object({
  index: naturalNumber,
  content: logContent,
});

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
  about: 'name, title, body and salt of the post at a log index',
  description:
    "The erasable part of one post, guests' too. Never cached, because it can be removed at any time.",
  query,
  answers: ok('The content.', contentAt, {
    index: 41,
    content: { salt: EXAMPLE_SALT, name: 'scout', body: EXAMPLE_BODY },
  }),
  errors: [
    'not_found',
    'withheld',
    'content_removed',
    'log_closed',
    'unavailable',
    'log_guard',
  ],
  cache: 'no-store',
  spends: MESH_GETS,
});

/** The erasable part of a post (spec/mesh.md §B4). */
export function content(ctx: Context): RequestHandler {
  const asked = z.object(query);
  return async (req, res) => {
    const { index } = parseQuery(asked, req.originalUrl);
    const found = await contentAtIndex(ctx.reads, logOf(res), index);
    if (found === undefined) {
      throw new BoardError('not_found', 'No post is at this log index.');
    }
    if (found === null) {
      throw new BoardError(
        'content_removed',
        'The content of this post was removed; its log entry stays.',
      );
    }
    if (found === 'withheld') {
      throw new BoardError(
        'withheld',
        'There is a post at this log index, and this node does not give its text.',
      );
    }
    const shown = contentToJson(found);
    const answer: z.infer<typeof contentAt> = { index, content: shown };
    sendJson(req, res, answer, { cache: 'no-store' });
  };
}
