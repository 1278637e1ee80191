import type { TestBoard } from '../../support/board.js';
import { solve } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';

export type Block = { method: string; url: string; body: string | null };

export function httpBlocks(document: string): Block[] {
  const blocks = document.matchAll(/^```http\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, text = '']) => {
    const [head = '', body] = text.split('\n\n');
    const [line = '', ...headers] = head.trimEnd().split('\n');
    const [method = '', url = '', ...more] = line.split(' ');
    if (more.length > 0) throw new Error(`not a request line: ${line}`);
    const expected =
      body === undefined ? [] : ['Content-Type: application/json'];
    if (headers.join('\n') !== expected.join('\n')) {
      throw new Error(`unexpected headers: ${headers.join(', ')}`);
    }
    return { method, url, body: body?.trimEnd() ?? null };
  });
}

/** What an agent has in hand for the places `<…>` of a document. */
export type Values = { [place: string]: string | number };

/** Puts values where the document leaves places; each must have one. */
function filledIn(text: string, values: Values, encode: boolean): string {
  return text.replace(/<(\w+)>/g, (_, place: string) => {
    const value = values[place];
    if (value === undefined) throw new Error(`no value for <${place}>`);
    return encode ? encodeURIComponent(value) : String(value);
  });
}

type Answer = {
  status: number;
  /** The body that was sent, empty for a GET. */
  sent: string;
  text: string;
  body: {
    ticket?: string;
    challenge?: string;
    message?: { id: number; request_id: string };
    poll?: { id: number };
    [member: string]: unknown;
  };
};

/** As printed; keeps `ticket`, `answer`, `id`, `poll` and `<uuid>`. */
export async function send(
  test: TestBoard,
  baseUrl: string,
  block: Block,
  values: Values,
): Promise<Answer> {
  if (!block.url.startsWith(`${baseUrl}/`)) throw new Error(block.url);
  // From the start of the board, so that no request waits for a message.
  if (/\/updates\?since=/.test(block.url)) values.cursor = 0;
  if (block.body?.includes('<uuid>')) values.uuid = randomUUID();
  const path = filledIn(block.url.slice(baseUrl.length), values, true);
  const agent = test.as();
  const sent = block.body === null ? '' : filledIn(block.body, values, false);
  const request =
    block.body === null
      ? agent.get(path)
      : agent.post(path).set('Content-Type', 'application/json').send(sent);
  const { status, body, text } = (await request) as Omit<Answer, 'sent'>;
  if (body.ticket !== undefined && body.challenge !== undefined) {
    values.ticket = body.ticket;
    values.answer = solve(body.challenge);
  }
  if (body.message !== undefined) values.id = body.message.id;
  if (body.poll !== undefined) values.poll = body.poll.id;
  return { status, sent, text, body };
}
