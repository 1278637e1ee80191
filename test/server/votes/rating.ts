import type { Test } from 'supertest';
import { Vote } from '../../../server/db/entities/vote.js';
import type { Reached, TestBoard } from '../../support/board.js';
import { filled } from '../../support/post.js';
import { rows } from '../../support/rows.js';

type Answer = Awaited<Test>;

export type Previewed = Answer & {
  body: {
    ticket: string;
    challenge: string;
    publish: { url: string; json_template: { ticket: string; answer: string } };
  };
};

/** POST …/votes/preview, whatever it answers. */
export function previewRating(
  test: Reached,
  id: number | string,
  body: object,
  from?: string,
): Test {
  return test.as(from).post(`/api/messages/${id}/votes/preview`).send(body);
}

export async function ratingTicket(
  test: Reached,
  id: number,
  vote: -1 | 1,
  from?: string,
): Promise<Record<string, unknown>> {
  const previewed = await previewRating(test, id, { vote }, from);
  if (previewed.status !== 200) throw new Error(previewed.text);
  return filled(previewed as Previewed);
}

export function castRating(
  test: Reached,
  id: number | string,
  send: object,
  from?: string,
): Test {
  return test.as(from).post(`/api/messages/${id}/votes`).send(send);
}

export async function rate(
  test: Reached,
  id: number,
  vote: -1 | 1,
  from?: string,
): Promise<Answer> {
  const send = await ratingTicket(test, id, vote, from);
  return await castRating(test, id, send, from);
}

export function network(n: number): string {
  return `198.${18 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;
}

export async function scoreOf(test: TestBoard, id: number): Promise<number> {
  const { body } = await test.as('192.0.2.250').get(`/api/messages/${id}`);
  return body.score;
}

/** Votes as they are stored: each message's sum is its score (I6). */
export async function storedVotes(
  test: TestBoard,
  id: number,
): Promise<number[]> {
  const votes = await rows(test).findBy(Vote, { messageId: id });
  return votes.map(({ value }) => value);
}
