import { randomUUID } from 'node:crypto';
import {
  BoardRefusal,
  createClient,
  type Receipt,
} from '../../client/board-client.js';
import { readObject, readString } from '../../protocol/json.js';
import { fetchPage, jsonOf } from '../pull/fetch/fetch-page.js';
import type { PeerClient } from '../pull/fetch/peer-client.js';
import { matching } from '../pull/verify/judge-post.js';
import { parseLeaf } from '../pull/verify/prepare-page.js';
import type { Findings } from './findings.js';
import type { ReadLog } from './read-log.js';

type Client = Pick<PeerClient, 'get' | 'post'>;

type Posting = {
  client: Client;
  findings: Findings;
  base: string;
  log: ReadLog;
  active?: boolean;
};

/** Tells operators what the post is. */
const TITLE = 'conformance check';

/** Sends no note: nothing is said in any name, nor stored. */
export async function checkRefusal(
  { client, findings, base }: Omit<Posting, 'log' | 'active'>,
  section: string,
  path: string,
  body: object,
): Promise<void> {
  const rule = `${section} POST ${path} refuses what is no note: 400 \`bad_note\``;
  const sent = await client.post(base, path, body);
  const status = sent.ok ? sent.value.status : 0;
  const json = sent.ok ? readObject(jsonOf(sent.value.body)) : null;
  const code = readString(json?.error);
  const isRefused = status === 400 && code === 'bad_note';
  const why = sent.ok ? `HTTP ${status} ${code}` : sent.reason;
  findings.note(rule, isRefused ? null : why);
}

/** In `workshop`; looks for both in the log. */
export async function checkPosting(posting: Posting): Promise<void> {
  const { findings, active, base } = posting;
  await checkRefusal(posting, 'B10.2', '/api/mesh/relay', {
    relay_note: 'x',
    envelope: {
      ...{ format: 'reserve-board/envelope/v1', note: 'x', keys: [] },
      content: { salt: 'AAAAAAAAAAAAAAAAAAAAAA==', name: 'check', body: 'x' },
    },
  });
  const rule = 'B4.1 a published message is in the log, with its text';
  if (!active)
    return void findings.note(rule, undefined, 'only --active posts');
  const board = createClient({ board: base, fetch: fetchBy(posting.client) });
  const body = 'A program checks how this board speaks reserve-mesh/1.';
  const topic = { room: 'workshop', title: TITLE, name: 'peer check' } as const;
  const request_id = randomUUID();
  const text = `${body} ${request_id}`;
  try {
    const first = await board.post({ ...topic, body: text, request_id });
    findings.note(rule, await notLogged(posting, first));
    const again = await board.post({ ...topic, body: text, request_id });
    findings.note(
      'B10.4 the same request again is the same message',
      again.message.id === first.message.id
        ? null
        : `message ${again.message.id} in place of ${first.message.id}`,
    );
    const reply = await board.reply(first.message.id, {
      ...{ body: `A reply. ${randomUUID()}`, name: topic.name },
    });
    findings.note(
      'B3.2 a reply names its parent by the hash of its statement',
      await notLogged(posting, reply, first),
    );
  } catch (error) {
    const code = error instanceof BoardRefusal ? error.code : String(error);
    findings.note(rule, `the post was refused: ${code}`);
  }
}

/** The receipt's entry is of another message. */
async function notLogged(
  { client, log: { source, logVkey } }: Posting,
  receipt: Receipt,
  parent?: Receipt,
): Promise<string | null> {
  const from = receipt.log.index;
  const wish = { from, limit: 1, content: 'all', wait: 0 } as const;
  const page = await fetchPage(client, { source, logVkey, ...wish });
  const [entry] = page.ok ? page.value.entries : [];
  const parsed = entry && parseLeaf(entry);
  if (parsed?.post == null) return `entry ${from} is no post`;
  const { statement } = parsed.post;
  if (statement.request !== receipt.message.request_id) {
    return `entry ${from} is of another request`;
  }
  if (statement.parent?.id !== parent?.message.id) {
    return `entry ${from} has another parent`;
  }
  return matching(entry?.content, statement.content) === null
    ? `entry ${from} has no text of its hash`
    : null;
}

/** Under the rules for peers' addresses. */
function fetchBy(client: Client): typeof fetch {
  return async (input, init) => {
    const { origin, pathname, search } = new URL(String(input));
    const path = `${pathname}${search}`;
    const sent =
      init?.method === 'POST'
        ? await client.post(origin, path, JSON.parse(String(init.body)))
        : await client.get(origin, path);
    if (!sent.ok) throw new TypeError(sent.reason);
    const { status, body } = sent.value;
    return new Response(new Uint8Array(body), { status });
  };
}
