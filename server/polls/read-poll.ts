import type { RequestHandler } from 'express';
import { POLL_COLUMNS, POLLS, type PollRow } from '../ballots/poll-row.js';
import { pollViewOf } from '../ballots/poll-view.js';
import type { Context } from '../context.js';
import { trust } from '../envelope.js';
import { sendJson } from '../http/conditional.js';
import { pathInteger } from '../http/query.js';
import type { PollRead } from './answers.js';
import { noSuchPoll } from './ballot-facts.js';

/**
 * GET /api/polls/{id}: one poll, its state and tally of this moment
 * (spec/board.md §6.3). Of a removed topic's poll only the numbers are left.
 */
export function readPoll(ctx: Context): RequestHandler {
  return async (req, res) => {
    const id = pathInteger(req.params.id);
    if (id === null) throw noSuchPoll();
    const [row] = await ctx.lookups.query<PollRow>(
      `SELECT ${POLL_COLUMNS} FROM ${POLLS} WHERE poll.id = $1`,
      [id],
    );
    if (row === undefined) throw noSuchPoll();
    const poll = pollViewOf(ctx, row);
    const answer: PollRead = { ...poll, ...trust(ctx.config.baseUrl) };
    sendJson(req, res, answer, { cache: 'revalidate' });
  };
}
