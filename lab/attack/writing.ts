import { setTimeout } from 'node:timers/promises';
import { solve } from '../../test/support/post.js';
import { randomUUID } from '../../test/support/random.js';
import {
  type Answer,
  type AttackClass,
  draft,
  freshAddress,
  refused,
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
  ...[
    ...['198.51.100.7', '127.0.0.1', '::1', '::ffff:198.51.100.7', 'unknown'],
    ...['198.51.100.7, 127.0.0.1', ',', '"198.51.100.7"', '198.51.100.7:80'],
    ...['[2001:db8::1]', '0.0.0.0', '999.1.1.1', ''],
  ].map((value) => ({ 'X-Forwarded-For': value })),
  { Forwarded: 'for=198.51.100.7' },
  { 'X-Real-IP': '198.51.100.7' },
  { 'CF-Connecting-IP': '198.51.100.7' },
  { 'True-Client-IP': '198.51.100.7' },
  { 'X-Client-IP': '198.51.100.7' },
  { 'X-Cluster-Client-IP': '198.51.100.7' },
  { 'Fastly-Client-IP': '198.51.100.7' },
  { Via: '1.1 198.51.100.7' },
  { 'x-forwarded-for ': '198.51.100.7' },
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

const unpublished = (answer: Answer): string | null =>
  answer.status === 201 || answer.status >= 500
    ? `it was answered ${answer.status}`
    : null;

const WRONG_ANSWERS: unknown[] = [
  ...['', '0', '0-x', ' ', '1-word\n', '__proto__', 'x'.repeat(4000), null, 0],
  ...[[], {}, true, ['12-word'], { toString: 'x' }, '１２-word', '12-WORD-12'],
];

const BODIES: [string, string][] = [
  ['a key twice', '{"body":"a","body":"b","title":"t"}'],
  ['__proto__', '{"__proto__":{"admin":true},"body":"a","title":"t"}'],
  ['constructor', '{"constructor":{"prototype":{"x":1}},"body":"a"}'],
  ['a byte order mark', '\ufeff{"body":"a","title":"t"}'],
  ['NUL in a text', '{"body":"a\\u0000b","title":"t"}'],
  ['half a surrogate', '{"body":"a\\ud800","title":"t"}'],
  ['depth', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  ['a huge number', '{"body":"a","reply_to":1e400}'],
  ['a number beyond 2^53', '{"body":"a","reply_to":9007199254740993}'],
  ['a negative number', '{"body":"a","reply_to":-1}'],
  ['an array', '[{"body":"a"}]'],
  ['a text', '"a"'],
  ['nothing', ''],
  ['two values', '{} {}'],
  ['comments', '{/* */}'],
  ['NaN', '{"body":NaN}'],
  ['65,537 bytes', `{"body":"${'a'.repeat(65_537)}"}`],
];

/** Tickets and answers of others, again, elsewhere, or made up. */
export async function tickets(target: Target): Promise<AttackClass> {
  const from = freshAddress();
  const root = await published(target, { title: 'Tickets' });
  const other = await published(target, { title: 'Other tickets' });
  const publish = async (body: object, at = from) =>
    unpublished(await target.ask('/write/publish', { body, from: at }));
  const tries: Try[] = WRONG_ANSWERS.map((answer) => ({
    what: `the answer ${JSON.stringify(answer)?.slice(0, 30)}`,
    run: async () => {
      const network = freshAddress();
      const own = await ticketOf(target, { reply_to: root.id }, network);
      return await publish({ ...own, answer }, network);
    },
  }));
  tries.push(
    {
      what: 'a publish sent twice',
      run: async () => {
        const own = await ticketOf(target, { reply_to: root.id });
        const network = freshAddress();
        const asked = { body: own, from: network };
        const two = await Promise.all([
          target.ask('/write/publish', asked),
          target.ask('/write/publish', asked),
        ]);
        const made = two.filter(({ status }) => status === 201);
        return made.length <= 1 ? null : 'it was published twice';
      },
    },
    {
      what: 'a ticket with another body',
      run: async () => {
        const own = await ticketOf(target, { reply_to: root.id }, from);
        return await publish({ ...own, body: 'Another.' });
      },
    },
    {
      what: 'a ticket with another target',
      run: async () => {
        const own = await ticketOf(target, { reply_to: root.id }, from);
        return await publish({ ...own, reply_to: other.id });
      },
    },
    {
      what: 'a request_id that is published, with another body',
      run: async () => publish({ ...root.body, body: 'Another.' }),
    },
    ...['ticket', 'answer'].map((name) => ({
      what: `a publish without ${name}`,
      run: async () => {
        const network = freshAddress();
        const own = await ticketOf(target, { reply_to: root.id }, network);
        const { [name]: _, ...rest } = own;
        return await publish(rest, network);
      },
    })),
    ...[2, -2, '1', true, null, 1.5, [1], {}].map((vote) => ({
      what: `the vote ${JSON.stringify(vote)}`,
      run: async () =>
        refused(
          await target.ask(`/api/messages/${root.id}/votes/preview`, {
            body: { vote },
            from,
          }),
          400,
        ),
    })),
    {
      what: 'the ticket of a vote for another message',
      run: async () => {
        const network = freshAddress();
        const body = await voteOf(target, root.id, network);
        const path = `/api/messages/${other.id}/votes`;
        return unpublished(await target.ask(path, { body, from: network }));
      },
    },
    {
      what: 'the ticket of a vote from another network',
      run: async () => {
        const body = await voteOf(target, root.id, freshAddress());
        const path = `/api/messages/${root.id}/votes`;
        const asked = { body, from: freshAddress() };
        return unpublished(await target.ask(path, asked));
      },
    },
    ...BODIES.flatMap(([what, body]) =>
      ['/write/preview', '/api/reports', '/api/keys', '/mcp'].map((path) => ({
        what: `${what} at ${path}`,
        run: async () => {
          const headers = {
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
          };
          const asked = { body, headers, from: freshAddress() };
          const { status } = await target.ask(path, {
            method: 'POST',
            ...asked,
          });
          return status >= 400 && status < 500 ? null : `it was ${status}`;
        },
      })),
    ),
  );
  return { name: 'tickets, answers, votes, idempotency, bodies', tries };
}

const SITES: [string, Record<string, string>][] = [
  ...['https://evil.example', 'null', 'http://127.0.0.1.evil.example', ''].map(
    (origin): [string, Record<string, string>] => [
      `the origin ${JSON.stringify(origin)}`,
      { Origin: origin, 'Content-Type': 'application/json' },
    ],
  ),
  [
    'another site',
    { 'Sec-Fetch-Site': 'cross-site', 'Content-Type': 'application/json' },
  ],
  ...[
    ...[
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ],
    ...['application/json-patch+json', 'text/plain; a=application/json', ''],
    ...['application/json; charset=utf-7', 'application/x-json'],
  ].map((type): [string, Record<string, string>] => [
    `the type ${JSON.stringify(type)}`,
    { 'Content-Type': type },
  ]),
];

/** Pages of other sites that let a visitor's browser write. */
export function crossSite(target: Target): AttackClass {
  const tries = SITES.flatMap(([what, headers]) =>
    ['/write/preview', '/api/reports'].map((path) => ({
      what: `${what} at ${path}`,
      run: async () => {
        const body = JSON.stringify(draft({ request_id: randomUUID() }));
        const asked = { method: 'POST', body, headers, from: freshAddress() };
        const { status } = await target.ask(path, asked);
        return status >= 400 && status < 500 ? null : `it was ${status}`;
      },
    })),
  );
  return { name: 'POSTs of other sites, content types', tries };
}
