import type { Test } from 'supertest';
import { Message } from '../../../server/db/entities/message.js';
import {
  BASE_URL,
  startBoard,
  type TestBoard,
  type TestBoardOptions,
} from '../../support/board.js';
import { watchStatements } from '../../support/database.js';
import { decideTo } from '../../support/decide.js';
import { givenBoard } from '../../support/hooks.js';
import { LIFTED } from '../../support/lifted.js';
import { type Post, publish } from '../../support/post.js';
import { rows } from '../../support/rows.js';

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

export function get(test: TestBoard, url: string): Test {
  return test.as().get(url.replace(BASE_URL, ''));
}

type Item = { id: number };
export function ids(answer: { body: { data: Item[] } }): number[] {
  return answer.body.data.map(({ id }) => id);
}

export const remove = decideTo.remove;

/** Hides a topic as ratings do, or as a decision does; or restores it. */
export async function setVisibility(
  test: TestBoard,
  id: number,
  visibility:
    | 'hidden_by_ratings'
    | 'hidden_by_decision'
    | 'restored_by_decision',
): Promise<void> {
  if (visibility === 'hidden_by_ratings') {
    const hidden = { visibility, visibilityBy: null, score: -3 };
    await rows(test).update(Message, { id }, hidden);
    return;
  }
  const isHidden = visibility === 'hidden_by_decision';
  await (isHidden ? decideTo.hide : decideTo.restore)(test, id);
}

export async function statementsOf(
  test: TestBoard,
  work: () => PromiseLike<unknown>,
): Promise<string[]> {
  const texts: string[] = [];
  const { reads, slowReads } = test.board.context;
  const seen = (text: string) => {
    // The look that finds what no notification reported goes by a timer.
    if (!text.includes("name <> 'admin_events'")) texts.push(text);
  };
  const stops = [reads, slowReads].map((db) => watchStatements(db, seen));
  try {
    await work();
  } finally {
    for (const stop of stops) stop();
  }
  return texts;
}
