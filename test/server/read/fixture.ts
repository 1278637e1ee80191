import type { Test } from 'supertest';
import {
  BASE_URL,
  startBoard,
  type TestBoard,
  type TestBoardOptions,
} from '../../support/board.js';
import { type Post, publish } from '../../support/post.js';

const PLENTY = 1_000_000;

/** Limits of writing lifted: these tests are about reading. */
export const LIFTED = {
  previews_per_network_hour: PLENTY,
  publish_attempts_per_network_minute: PLENTY,
  writes_per_network_minute: PLENTY,
  writes_per_network_hour: PLENTY,
  writes_per_board_minute: PLENTY,
  topics_per_source_hour: PLENTY,
  topics_per_source_day: PLENTY,
};

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

/** What a recorded removal leaves in the tables of reading. */
export async function remove(test: TestBoard, id: number): Promise<void> {
  const { writes } = test.board.context;
  await writes.transaction(async (tx) => {
    await tx.query(
      `UPDATE message SET body = NULL, title = NULL, author = NULL,
         salt = NULL, refs = NULL, removed_at = $2 WHERE id = $1`,
      [id, test.clock.now()],
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

export async function setVisibility(
  test: TestBoard,
  root: number,
  visibility: string,
): Promise<void> {
  await test.board.context.writes.query(
    'UPDATE message SET visibility = $2 WHERE id = $1',
    [root, visibility],
  );
}

/** Runs `work` and gives the statements that reads sent meanwhile. */
export async function statementsOf(
  test: TestBoard,
  work: () => PromiseLike<unknown>,
): Promise<string[]> {
  const reads = test.board.context.reads as { query: unknown };
  const { query } = reads as { query: (text: string) => unknown };
  const texts: string[] = [];
  reads.query = (...call: [string]) => {
    texts.push(call[0]);
    return query(...call);
  };
  try {
    await work();
  } finally {
    reads.query = query;
  }
  return texts;
}
