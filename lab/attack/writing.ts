import { setTimeout } from 'node:timers/promises';
import { solve } from '../../test/support/post.js';
import { HOSTILE } from './hostile.js';
import {
  type Asked,
  type AttackClass,
  answered,
  draft,
  freshAddress,
  isFine,
  isRefusal,
  type Target,
  type Try,
} from './target.js';

/** Previews and solves; every writer is a network of its own. */
export async function ticketOf(
  target: Target,
  post: object,
  from = freshAddress(),
): Promise<Record<string, unknown>> {
  const seen = await target.ask('/write/preview', { body: draft(post), from });
  const { publish, challenge } = seen.json as {
    publish?: { json_template: object };
    challenge?: string;
  };
  if (publish === undefined) throw new Error(`preview: ${seen.text}`);
  return { ...publish.json_template, answer: solve(String(challenge)) };
}

/** Publishes, and waits where the board as a whole has had enough. */
export async function published(
  target: Target,
  post: object,
  from = freshAddress(),
): Promise<{ id: number; body: Record<string, unknown> }> {
  const body = await ticketOf(target, post, from);
  const answer = await target.ask('/write/publish', { body, from });
  const { message, retry_after_seconds: wait } = answer.json as {
    message?: { id: number };
    retry_after_seconds?: number;
  };
  if (message === undefined && answer.status === 429) {
    await setTimeout(1000 * Number(wait));
    return await published(target, post);
  }
  if (message === undefined) throw new Error(`publish: ${answer.text}`);
  return { id: message.id, body };
}

type Vote = { ticket: string; answer: string };

async function voteOf(target: Target, id: number, from: string): Promise<Vote> {
  const path = `/api/messages/${id}/votes/preview`;
  const { json } = await target.ask(path, { body: { vote: 1 }, from });
  return { ticket: String(json.ticket), answer: solve(String(json.challenge)) };
}

const scoreOf = async (target: Target, id: number): Promise<unknown> => {
  const { json } = await target.ask(`/api/messages/${id}`);
  const it = (json.message ?? json.data ?? json) as Record<string, unknown>;
  return it.score;
};

/** How clients say that they are somebody else. */
const CLAIMS: Record<string, string>[] = [
  ...Object.entries(HOSTILE.claims).flatMap(([name, values]) =>
    values.map((value) => ({ [name]: value })),
  ),
  Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`h${n}`, ''])),
];

/** A second vote of one network, whatever its headers claim (F4). */
export async function identity(target: Target): Promise<AttackClass> {
  const from = freshAddress();
  const { id } = await published(target, { title: 'Votes' });
  const body = await voteOf(target, id, from);
  await target.ask(`/api/messages/${id}/votes`, { body, from });
  const tries = CLAIMS.map((headers): Try => {
    const claims = Object.entries(headers);
    const what = claims.length > 1 ? '900 headers' : String(claims[0]);
    const run = async () => {
      const asked = { body: { vote: 1 }, from, headers };
      const seen = await target
        .ask(`/api/messages/${id}/votes/preview`, asked)
        .catch(() => null); // a name that Node's own client refuses to send
      if (seen?.json.ticket === undefined) return null;
      const { ticket, challenge } = seen.json;
      const again = { ticket, answer: solve(String(challenge)) };
      const cast = { body: again, from, headers };
      await target.ask(`/api/messages/${id}/votes`, cast);
      const score = await scoreOf(target, id);
      return score === 1 ? null : `the score is ${score}`;
    };
    return { what, run };
  });
  return { name: 'network identity without a trusted proxy', tries };
}

const isUnpublished = (status: number) => status !== 201 && isFine(status);

/** Tickets and answers of others, again, elsewhere, or made up. */
export async function tickets(target: Target): Promise<AttackClass> {
  const from = freshAddress();
  const root = await published(target, { title: 'Tickets' });
  const other = await published(target, { title: 'Other tickets' });
  const votes = (id: number) => `/api/messages/${id}/votes`;
  /** What is sent is made when it is its turn. */
  const unpublished = (
    what: string,
    path: string,
    asked: () => Promise<Asked>,
  ): Try => ({
    what,
    run: async () =>
      answered(target, what, path, await asked(), isUnpublished).run(),
  });
  const publish = (what: string, change: object, network?: string): Try =>
    unpublished(what, '/write/publish', async () => {
      const as = network ?? freshAddress();
      const own = await ticketOf(target, { reply_to: root.id }, as);
      return { body: { ...own, ...change }, from: as };
    });
  const tries: Try[] = [
    ...HOSTILE.answers.map((answer) =>
      publish(`the answer ${JSON.stringify(answer).slice(0, 30)}`, { answer }),
    ),
    {
      what: 'a publish sent twice',
      run: async () => {
        const as = freshAddress();
        const body = await ticketOf(target, { reply_to: root.id }, as);
        const send = () => target.ask('/write/publish', { body, from: as });
        const two = await Promise.all([send(), send()]);
        const made = two.filter(({ status }) => status === 201);
        return made.length === 1 ? null : `${made.length} were published`;
      },
    },
    publish('a ticket with another body', { body: 'Another.' }, from),
    publish('a ticket with another target', { reply_to: other.id }, from),
    unpublished(
      'a request_id that is published, with another body',
      '/write/publish',
      async () => ({ body: { ...root.body, body: 'Another.' }, from }),
    ),
    // What is undefined is left out of JSON.
    publish('a publish without ticket', { ticket: undefined }),
    publish('a publish without answer', { answer: undefined }),
    ...[2, -2, '1', true, null, 1.5, [1], {}].map((vote) => ({
      what: `the vote ${JSON.stringify(vote)}`,
      run: async () => {
        const asked = { body: { vote }, from };
        const path = `${votes(root.id)}/preview`;
        const { status, json } = await target.ask(path, asked);
        if (status !== 400) return `it was answered ${status}`;
        return typeof json.error === 'string' ? null : 'it names no error';
      },
    })),
    unpublished(
      'the ticket of a vote for another message',
      votes(other.id),
      async () => {
        const as = freshAddress();
        return { body: await voteOf(target, root.id, as), from: as };
      },
    ),
    unpublished(
      'the ticket of a vote from another network',
      votes(root.id),
      async () => ({
        body: await voteOf(target, root.id, freshAddress()),
        from: 'fresh',
      }),
    ),
    ...Object.entries(HOSTILE.bodies).flatMap(([what, body]) =>
      ['/write/preview', '/api/reports', '/api/keys', '/mcp'].map((path) => {
        const Accept = 'application/json, text/event-stream';
        const headers = { 'Content-Type': 'application/json', Accept };
        const asked = { method: 'POST', body, headers, from: 'fresh' };
        return answered(target, `${what} at ${path}`, path, asked, isRefusal);
      }),
    ),
  ];
  return { name: 'tickets, answers, votes, idempotency, bodies', tries };
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const SITES: Record<string, string>[] = [
  ...HOSTILE.sites.origins.map((Origin) => ({ Origin, ...JSON_TYPE })),
  { 'Sec-Fetch-Site': 'cross-site', ...JSON_TYPE },
  ...HOSTILE.sites.types.map((type) => ({ 'Content-Type': type })),
];

/** Pages of other sites that let a visitor's browser write. */
export function crossSite(target: Target): AttackClass {
  const body = JSON.stringify(draft({}));
  const tries = SITES.flatMap((headers) =>
    ['/write/preview', '/api/reports'].map((path) => {
      const asked = { method: 'POST', body, headers, from: 'fresh' };
      const what = `${JSON.stringify(headers)} at ${path}`;
      return answered(target, what, path, asked, isRefusal);
    }),
  );
  return { name: 'POSTs of other sites, content types', tries };
}
