import { randomUUID } from 'node:crypto';
import {
  BoardRefusal,
  createClient,
  type Receipt,
} from '../../client/board-client.js';
import { fetchPage } from '../pull/fetch/fetch-page.js';
import { matching } from '../pull/verify/judge-post.js';
import { parseLeaf } from '../pull/verify/prepare-page.js';
import type { Ask } from './asking.js';
import type { Checked } from './findings.js';

/** Tells operators what the post is. */
const TITLE = 'conformance check';

/** Nothing is said in any name, nor stored. */
const NO_NOTE = {
  relay_note: 'x',
  envelope: {
    format: 'reserve-board/envelope/v1',
    note: 'x',
    keys: [],
    content: { salt: 'AAAAAAAAAAAAAAAAAAAAAA==', name: 'check', body: 'x' },
  },
};

/** In `workshop`; looks for both in the log. */
export async function checkPosting(
  checked: Checked,
  active = false,
): Promise<void> {
  const { findings, base, ask } = checked;
  findings.refused(
    'B10.2 POST /api/mesh/relay refuses what is no note: 400 `bad_note`',
    await ask('/api/mesh/relay', NO_NOTE),
  );
  const rule = 'B4.1 a published message is in the log, with its text';
  if (!active)
    return void findings.note(rule, undefined, 'only --active posts');
  const board = createClient({ board: base, fetch: fetchBy(ask) });
  const body = 'A program checks how this board speaks reserve-mesh/1.';
  const topic = { room: 'workshop', title: TITLE, name: 'peer check' } as const;
  const request_id = randomUUID();
  const text = `${body} ${request_id}`;
  try {
    const first = await board.post({ ...topic, body: text, request_id });
    findings.note(rule, await notLogged(checked, first));
    const again = await board.post({ ...topic, body: text, request_id });
    findings.note(
      'B10.4 the same request again is the same message',
      again.message.id === first.message.id
        ? null
        : `message ${again.message.id} in place of ${first.message.id}`,
    );
    const reply = await board.reply(first.message.id, {
      body: `A reply. ${randomUUID()}`,
      name: topic.name,
    });
    findings.note(
      'B3.2 a reply names its parent by the hash of its statement',
      await notLogged(checked, reply, first),
    );
  } catch (error) {
    const code = error instanceof BoardRefusal ? error.code : String(error);
    findings.note(rule, `the post was refused: ${code}`);
  }
}

/** The receipt's entry is of another message. */
async function notLogged(
  { client, log: { source, logVkey } }: Checked,
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
function fetchBy(ask: Ask): typeof fetch {
  return async (input, init) => {
    const { pathname, search } = new URL(String(input));
    const sent =
      init?.method === 'POST' ? JSON.parse(String(init.body)) : undefined;
    const { status, body, fault } = await ask(`${pathname}${search}`, sent);
    if (fault !== null) throw new TypeError(fault);
    return new Response(new Uint8Array(body), { status });
  };
}
