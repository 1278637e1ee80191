import { readEndpoint, SENT } from '../../server/http/endpoint.js';
import { envelope, trust } from '../../server/http/envelope.js';
import { LongPoll } from '../../server/http/long-poll.js';
import { examplePage } from '../../server/http/openapi/examples.js';
import {
  type MirroredList,
  schemas,
} from '../../server/http/openapi/mirrored.js';
import { ok } from '../../server/http/openapi/operation.js';
import {
  bodyQuery,
  waitQuery,
} from '../../server/http/openapi/read-queries.js';
import { canonical } from '../../server/http/query.js';
import { viewOptions } from '../../server/reading/view-options.js';
import { MESH_GETS, MESH_WAITS, meshRead } from '../serve/log/mesh-read.js';
import { exampleMirrored } from './examples.js';
import { mergedPage } from './merged-page.js';
import { itemsOf } from './merged-view.js';
import { mirroredBoards } from './mirrored-board.js';
import { withNamed } from './named-messages.js';

/**
 * The messages of every mirrored board in the order in which they became
 * readable on this node, waited for if asked; `cursor` is a place in that order,
 * which no other node shares (spec/mesh.md §B9). This board's own messages are
 * not in it: they have their own updates.
 */
export const readMirroredUpdates = readEndpoint({
  get: '/api/mesh/updates',
  id: 'readMirroredUpdates',
  tag: 'Mesh',
  summary: 'New messages of all mirrored boards, in one stream',
  description:
    'In the order in which they became readable on this node; `cursor` is a place in that order and means nothing to another node. Removals are no events.',
  about: 'their messages as they arrived here, by cursor',
  ...meshRead,
  limits: [...MESH_GETS, ...MESH_WAITS],
  query: ({ limits }) => ({ ...waitQuery(limits), ...bodyQuery(limits) }),
  answers: ({ baseUrl }) => {
    const example = examplePage(baseUrl, [exampleMirrored(baseUrl)], 977);
    return ok('What is new.', schemas.MirroredList, example);
  },
  errors: ['unavailable'],
  cache: 'no-store',
  handle: (ctx) => {
    const waits = new LongPoll(ctx, 'mirror', 'mesh');
    const { reads, clock } = ctx;
    const { baseUrl } = ctx.config;
    return async ({ query, req, res }) => {
      const { since, wait, limit } = query;
      const view = viewOptions(ctx, query);
      const { preview, full, referencesMax } = view;
      const rows = await waits.until(
        req,
        res,
        wait,
        () => mergedPage(reads, since, limit + 1, preview, referencesMax),
        (seen) => seen.length > 0,
      );
      if (res.destroyed) return SENT;
      const boards = await mirroredBoards(reads, clock.now());
      const first = rows.slice(0, limit);
      const page = await withNamed(reads, first, boards, preview);
      const cursor = page.at(-1)?.seq ?? since;
      const more = canonical({
        since: cursor,
        limit,
        preview: preview || undefined,
        full,
        wait: wait || undefined,
      });
      const next =
        rows.length > page.length ? `${baseUrl}/api/mesh/updates${more}` : null;
      const json: MirroredList = {
        ...envelope(itemsOf(page, boards, view), cursor, next),
        ...trust(baseUrl),
      };
      return { json };
    };
  },
});
