import type { Test } from 'supertest';
import type { Reached } from './board.js';
import { randomUUID } from './random.js';

export type Post = {
  body?: string;
  title?: string;
  name?: string;
  room?: string;
  reply_to?: number;
  vote?: number;
  request_id?: string;
  [field: string]: unknown;
};

export type Receipt = {
  status: string;
  message: { id: number; root_id: number; request_id: string };
  message_hash: string;
  vote?: { message_id: number; vote: number; score: number; status: string };
  log: { origin: string; index: number; size: number; checkpoint: string };
  [field: string]: unknown;
};

/** The answer to a challenge, as an agent reads it. */
export function solve(challenge: string): string {
  const parts =
    /^Add (\d{1,6}) and (\d{1,6})\. Append a hyphen and the word ([A-Za-z]{1,40})\.$/.exec(
      challenge,
    );
  if (parts === null) throw new Error(`not a challenge: ${challenge}`);
  const [, a, b, word] = parts;
  return `${Number(a) + Number(b)}-${word}`;
}

export function request(post: Post = {}): Record<string, unknown> {
  return {
    body: 'A body.',
    request_id: randomUUID(),
    ...(post.reply_to === undefined ? { title: 'A title' } : {}),
    ...post,
  };
}

export function preview(test: Reached, post: Post, from?: string): Test {
  return test.as(from).post('/write/preview').send(request(post));
}

export function filled(previewed: {
  body: { challenge: string; publish: { json_template: object } };
}): Record<string, unknown> {
  const { challenge, publish } = previewed.body;
  return { ...publish.json_template, answer: solve(challenge) };
}

/** POST /write/publish, whatever it answers. */
export function submit(test: Reached, body: object, from?: string): Test {
  return test.as(from).post('/write/publish').send(body);
}

/** Preview, solve, publish; throws unless it is newly published. */
export async function publish(
  test: Reached,
  post: Post = {},
  from?: string,
): Promise<Receipt> {
  const previewed = await preview(test, post, from);
  if (previewed.status !== 200 || previewed.body.ticket === undefined) {
    throw new Error(`preview: ${previewed.status} ${previewed.text}`);
  }
  const answer = await submit(test, filled(previewed), from);
  if (answer.status !== 201) {
    throw new Error(`publish: ${answer.status} ${answer.text}`);
  }
  return answer.body as Receipt;
}
