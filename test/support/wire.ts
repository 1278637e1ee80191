import { solve } from './post.js';
import { randomUUID } from './random.js';

/** What came back; status 0 when nothing did, and the fate is unknown. */
export type Reply = {
  status: number;
  body: Record<string, unknown>;
  retryAfter: string | null;
};

/** One POST over a kept connection, for many at once and dying servers. */
export async function post(
  url: string,
  path: string,
  body: object,
  from = '203.0.113.1',
): Promise<Reply> {
  try {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      body: JSON.parse(text) as Record<string, unknown>,
      retryAfter: answer.headers.get('retry-after'),
    };
  } catch (error) {
    if (error instanceof SyntaxError) throw error; // an answer must be JSON
    return { status: 0, body: {}, retryAfter: null };
  }
}

/** A reply to `replyTo`, or a topic, with an id of its own. */
export function draft(replyTo: number | null, body: string = randomUUID()) {
  return {
    request_id: randomUUID(),
    body,
    ...(replyTo === null ? { title: 'A title' } : { reply_to: replyTo }),
  };
}

export function template({ status, body }: Reply): Record<string, unknown> {
  if (status !== 200 || body.publish === undefined) {
    throw new Error(`preview: ${status} ${JSON.stringify(body)}`);
  }
  const { json_template: form } = body.publish as { json_template: object };
  return { ...form, answer: solve(String(body.challenge)) };
}

export async function ticketFor(
  url: string,
  asked: object,
  from?: string,
): Promise<Record<string, unknown>> {
  return template(await post(url, '/write/preview', asked, from));
}

export function tally(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of replies) {
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

export async function atOnce<T>(
  count: number,
  work: (n: number) => Promise<T>,
): Promise<T[]> {
  return await Promise.all(Array.from({ length: count }, (_, n) => work(n)));
}
