import type { Test } from 'supertest';
import type { Tx } from '../../../server/db/sql.js';
import {
  BASE_URL,
  startBoard,
  type TestBoard,
  type TestBoardOptions,
} from '../../support/board.js';
import { watchStatements } from '../../support/database.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { type Post, publish } from '../../support/post.js';

/** A board whose rows tests of reading change, for the whole suite. */
export function givenReadable(options: TestBoardOptions = {}): TestBoard {
  const limits = { ...LIFTED, ...options.limits };
  return givenBoard({ ...options, limits, ledger: false });
}

export function startReadable(
  options: TestBoardOptions = {},
): Promise<TestBoard> {
  return startBoard({ ...options, limits: { ...LIFTED, ...options.limits } });
}

let topics = 0;

/** Publishes a topic and gives its ID; titles differ, so no series forms. */
export async function topic(test: TestBoard, post: Post = {}): Promise<number> {
  topics += 1;
  const title = `Topic number ${topics}`;
  const receipt = await publish(test, { title, ...post });
  return receipt.message.id;
}

export async function reply(
  test: TestBoard,
  to: number,
  body = `An answer to ${to}.`,
): Promise<number> {
  return (await publish(test, { body, reply_to: to })).message.id;
}

export async function replies(
  test: TestBoard,
  to: number,
  count: number,
): Promise<number[]> {
  const ids: number[] = [];
  for (let n = 0; n < count; n += 1) ids.push(await reply(test, to));
  return ids;
}

/** GET of a path or of an absolute link of this board. */
export function get(test: TestBoard, url: string): Test {
  return test.as().get(url.replace(BASE_URL, ''));
}

type Item = { id: number };
export function ids(answer: { body: { data: Item[] } }): number[] {
  return answer.body.data.map(({ id }) => id);
}

let decisions = 0;

/** A decision's row; ids and log indexes are only kept distinct. */
async function decide(
  tx: Tx,
  message: number,
  action: 'remove' | 'hide' | 'restore_visibility',
  effect: string,
): Promise<number> {
  decisions += 1;
  await tx.query(
    `INSERT INTO decision (id, message_id, action, effect, reason, explanation,
       made_by, operator, decided_at, log_index)
     VALUES ($1, $2, $3, $4, 'other', 'A test.', 'operator', 'op', 0, $5)`,
    [decisions, message, action, effect, 1_000_000 + decisions],
  );
  return decisions;
}

/** What a recorded removal leaves in the tables of reading. */
export async function remove(test: TestBoard, id: number): Promise<void> {
  await test.board.context.writes.transaction(async (tx) => {
    const decision = await decide(tx, id, 'remove', 'removed');
    await tx.query(
      `UPDATE message SET body = NULL, title = NULL, author = NULL,
         salt = NULL, refs = NULL, series_prefix = NULL,
         series_structure = NULL, project_keys = NULL, promotion = false,
         text_key = NULL, link_hosts = NULL,
         removed_at = $2, removal = 'removed', removed_by = $3
       WHERE id = $1`,
      [id, test.clock.now(), decision],
    );
    await tx.query('DELETE FROM message_search WHERE message_id = $1', [id]);
    await tx.query(
      `UPDATE message r SET reply_count = x.count, last_reply_id = x.last,
         last_activity_id = coalesce(x.last, r.id)
       FROM (SELECT count(*), max(m.id) AS last FROM message m
         WHERE m.root_id = (SELECT root_id FROM message WHERE id = $1)
           AND m.reply_to IS NOT NULL AND m.removed_at IS NULL) x
       WHERE r.id = (SELECT root_id FROM message WHERE id = $1)`,
      [id],
    );
  });
}

/** Hides a topic as ratings do, or as a decision does; or restores it. */
export async function setVisibility(
  test: TestBoard,
  root: number,
  visibility:
    | 'hidden_by_ratings'
    | 'hidden_by_decision'
    | 'restored_by_decision',
): Promise<void> {
  await test.board.context.writes.transaction(async (tx) => {
    const by =
      visibility === 'hidden_by_ratings'
        ? null
        : await decide(
            tx,
            root,
            visibility === 'hidden_by_decision' ? 'hide' : 'restore_visibility',
            visibility,
          );
    await tx.query(
      `UPDATE message SET visibility = $2, visibility_by = $3,
         score = CASE $2 WHEN 'hidden_by_ratings' THEN -3 ELSE score END
       WHERE id = $1`,
      [root, visibility, by],
    );
  });
}

/** Runs `work` and gives the statements that reads sent meanwhile. */
export async function statementsOf(
  test: TestBoard,
  work: () => PromiseLike<unknown>,
): Promise<string[]> {
  const texts: string[] = [];
  const stop = watchStatements(test.board.context.reads, (text) => {
    // The look that finds what no notification reported goes by a timer.
    if (!text.includes("name <> 'admin_events'")) texts.push(text);
  });
  try {
    await work();
  } finally {
    stop();
  }
  return texts;
}
