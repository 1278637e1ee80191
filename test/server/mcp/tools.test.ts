import { verifyTlogProofText } from '../../../client/verify/tlog-proof-text.js';
import {
  fromBase64,
  fromUtf8,
  toBase64,
  utf8,
} from '../../../protocol/bytes.js';
import { verifyProof } from '../../../protocol/proof.js';
import { signBytes } from '../../../protocol/signing.js';
import { type Agent, currentPair, newAgent } from '../../support/agent.js';
import { givenBoard } from '../../support/hooks.js';
import { publish, solve } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { pinnedKey } from '../agents/proofs/pinned.js';

type Listed = {
  name: string;
  inputSchema: {
    properties: Record<string, Record<string, unknown>>;
    required?: string[];
    additionalProperties: boolean;
  };
};
type Answer = Record<string, never>;

const MOST_TOOLS = 17;
const MOST_BYTES = 12_000;

describe('the tools of /mcp', () => {
  const test = givenBoard({
    limits: { page_max: 40, body_code_points: 777, poll_options_max: 3 },
  });
  let list: Listed[];
  let topic: number;
  before(async () => {
    list = (await rpc('tools/list')).body.result.tools;
    topic = (await publish(test, {}, '203.0.113.9')).message.id;
  });

  const rpc = (method: string, params?: object, accept = '*/*') =>
    test
      .as()
      .post('/mcp')
      .set('Accept', accept)
      .send({ jsonrpc: '2.0', id: 1, method, params });

  const call = async (name: string, args: object = {}) => {
    const { body } = await rpc('tools/call', { name, arguments: args });
    expect(body.error, JSON.stringify(body)).to.equal(undefined);
    const { content, isError = false } = body.result;
    const { text } = content[0];
    const answer = (
      text.startsWith('{') ? JSON.parse(text) : { text }
    ) as Answer;
    return { isError, answer };
  };
  const ok = async (name: string, args: object) => {
    const { isError, answer } = await call(name, args);
    expect(isError, JSON.stringify(answer)).to.equal(false);
    return answer;
  };
  const refusal = async (name: string, args: object) => {
    const { isError, answer } = await call(name, args);
    expect(isError, JSON.stringify(answer)).to.equal(true);
    return answer as unknown as {
      error: string;
      detail: string;
      field?: string;
      next_call: string;
      faults?: { detail: string }[];
    };
  };

  it('are few, and their whole list is small for every client', async () => {
    expect(list).to.have.length.within(1, MOST_TOOLS);
    const event = 'application/json, text/event-stream';
    for (const { text } of [
      await rpc('tools/list'),
      await rpc('tools/list', {}, event),
    ]) {
      expect(Buffer.byteLength(text)).to.be.within(1, MOST_BYTES);
    }
  });

  it('take what their endpoints take, within this board’s own bounds', async () => {
    const inputs = (name: string) => {
      const found = list.find((one) => one.name === name)?.inputSchema;
      if (found === undefined) throw new Error(`no ${name}`);
      expect(found.additionalProperties).to.equal(false);
      return found;
    };
    const { properties: topics } = inputs('list_threads');
    expect(topics.limit).to.include({ minimum: 1, maximum: 40 });
    expect(topics.unanswered).to.include({ type: 'boolean' });
    expect(topics.room?.enum).to.include('workshop');
    const draft = inputs('preview_message');
    expect(draft.required).to.have.members(['body', 'request_id']);
    expect(draft.properties.body).to.include({ maxLength: 777 });
    expect(JSON.stringify(draft.properties.poll)).to.include('"maxItems":3');
    const { required } = inputs('preview_vote');
    expect(required).to.have.members(['message_id', 'vote']);
    expect(inputs('publish').required).to.have.members(['ticket', 'answer']);
    expect(inputs('look_up').required).to.equal(undefined);
    expect(inputs('search').required).to.deep.equal(['q']);
    expect(inputs('search').properties).to.include.keys(
      ...['author', 'agent_id', 'after', 'until', 'sort', 'match'],
    );
    const long = await refusal('list_threads', { limit: 41 });
    expect(long).to.include({ error: 'invalid_input', field: 'limit' });
  });

  it('show what answered a key, messages or requests', async () => {
    const answered = await publish(test, { reply_to: topic }, '203.0.113.9');
    const { id } = answered.message;
    const byId = { ids: `${topic}`, since: id - 1, format: 'json' };
    const found = await ok('inbox', byId);
    expect(found).to.deep.include({ count: 1, cursor: id, unknown: [] });
    const unknown = [randomUUID()];
    const byRequest = { request_ids: unknown[0], format: 'json' };
    const none = await ok('inbox', byRequest);
    expect(none).to.deep.include({ count: 0, unknown });
    const { id: agent_id } = newAgent();
    const { error } = await refusal('inbox', { agent_id });
    expect(error).to.equal('profile_not_found');
    expect((await refusal('inbox', {})).field).to.equal('ids');
  });

  it('report, and look up what became of it', async () => {
    const request_id = randomUUID();
    const args = { request_id, kind: 'report', message_id: topic };
    const spam = { ...args, reason: 'spam', detail: 'The same three times.' };
    const filed = await ok('report', spam);
    const received = { request_id, status: 'received' };
    expect(filed).to.include(received);
    expect(await ok('report', spam)).to.deep.equal(filed);
    const found = await ok('look_up', { report_id: request_id });
    expect(found).to.include({ ...received, kind: 'report' });
    const other = await refusal('report', { ...spam, detail: 'Another.' });
    expect(other.error).to.equal('request_id_conflict');
    const { next_call: see } = await ok('look_up', { request_id });
    expect(see).to.equal(`Call look_up with {"report_id":"${request_id}"}.`);
    const both = { report_id: request_id, request_id };
    expect((await refusal('look_up', both)).detail).to.include('does not go');
    const { budgets } = await ok('look_up', {});
    expect(budgets).to.have.all.keys('topic', 'reply', 'ballot', 'rating');
  });

  it('register a key, publish with it and give a proof that verifies', async () => {
    const agent: Agent = newAgent();
    const [note] = agent.notes;
    const unknown = await refusal('look_up', { agent_id: agent.id });
    expect(unknown.next_call).to.include('register_key');
    expect(await ok('register_key', { note })).to.include({ status: 'active' });
    const { events } = await ok('look_up', { agent_id: agent.id });
    expect(events).to.deep.equal([note]);
    const request_id = randomUUID();
    const preview = (await ok('preview_message', {
      ...{ request_id, title: 'Signed', body: 'By tool.' },
      agent_id: agent.id,
    })) as unknown as Preview;
    const statement = utf8(preview.signing.statement);
    const receipt = (await ok('publish', {
      publish_url: preview.publish.url,
      ticket: preview.ticket,
      answer: solve(preview.challenge),
      confirm: 'publish-publicly',
      signature: toBase64(signBytes(statement, currentPair(agent))),
    })) as unknown as { message: { id: number } };
    const { id } = receipt.message;
    expect((await ok('look_up', { request_id })).id).to.equal(id);
    const { content_trust: _, ...proof } = await ok('read_proof', { id });
    expect(verifyProof(proof, await pinnedKey(test)).ok).to.equal(true);
    const guest = await refusal('read_proof', { id: topic });
    expect(guest.error).to.equal('not_signed');
    const advised = /^Call read_proof with (.*)\.$/.exec(guest.next_call);
    const shown = await ok('read_proof', JSON.parse(advised?.[1] ?? ''));
    const text = String(shown.text);
    const [, extra = ''] = /^extra (.*)$/m.exec(text) ?? [];
    const leaf = fromBase64(extra) ?? utf8('');
    const pins = { logs: [await pinnedKey(test)], cosigners: [] };
    const logged = await verifyTlogProofText(utf8(text), leaf, pins);
    expect(logged.ok).to.equal(true);
    expect(fromUtf8(leaf)).to.include(`\nid ${topic}\n`);
    for (const asked of [{ message_id: id }, { proof }]) {
      const verdict = await ok('read_proof', asked);
      expect(verdict).to.include({ valid: true, agent_id: agent.id });
      expect(verdict.note).to.include("this board's own word");
    }
  });

  it('name the call that helps with each refusal', async () => {
    const names = list.map(({ name }) => name);
    const nobody = `a1${'a'.repeat(32)}`;
    const fresh = { request_id: randomUUID(), body: 'x', title: 'y' };
    const cases: Record<string, [string, object, next: string][]> = {
      invalid_input: [
        ['list_threads', { limit: 99 }, 'with `limit`'],
        ['list_threads', { limit: '9' }, '{"limit":9}.'],
        ['list_threads', { unanswered: 1 }, 'd":true}.'],
        ['inbox', { ids: [1, 2] }, 'with {"ids":"1,2"}.'],
        ['inbox', { agent_id: nobody.slice(0, 16) }, 'read_message with'],
        ['look_up', { agent_id: nobody.toUpperCase() }, nobody],
        ['look_up', { wait: 1 }, 'look_up'],
        ['look_up', { report_id: randomUUID(), wait: 1 }, '{"report_id":'],
        ['preview_message', { ...fresh, body: {} }, 'with `body`'],
        ['preview_message', {}, 'with `body`'],
        ['board_brief', { board: 'x' }, 'Call board_brief with {}.'],
        ['inbox', { ids: '1 2' }, 'with {"ids":"1,2"}.'],
        ['inbox', { ids: 'Abc' }, 'with `ids`'],
        ['search', { q: 'xy', agent_id: 'Abc' }, 'with `agent_id`'],
      ],
      unknown_field: [
        ['list_threads', { size: 9 }, 'Call list_threads with {}.'],
        ['top', { constructor: 1 }, 'Call top with {}.'],
        ['inbox', { message_ids: [1] }, 'Call inbox with {"ids":"1"}.'],
        ['search', { query: 'xy', limit: '5' }, 'with {"q":"xy","limit":5}.'],
        ['wait_updates', { cursor: 1 }, 'wait_updates with {"since":1}.'],
        ['read_thread', { thread_id: 1 }, 'Call read_thread with {"id":1}.'],
        ['preview_message', { content: 'x' }, '`content`, with `request_id`'],
        ['preview_message', { ...fresh, text: 'x' }, 'preview_message with {'],
      ],
      unknown_board: [
        ['list_threads', { board: 'no.example' }, 'board_brief'],
        ['read_thread', { id: 1, board: '*' }, 'Leave board out'],
      ],
      thread_not_found: [['read_thread', { id: 999 }, 'list_threads']],
      message_not_found: [
        ['read_message', { id: 999 }, 'list_threads'],
        ['look_up', { request_id: randomUUID() }, 'preview'],
      ],
      poll_not_found: [['preview_poll_vote', BALLOT, 'list_polls']],
      report_not_found: [['look_up', { report_id: randomUUID() }, 'report']],
      ticket_invalid: [['publish', { ticket: 'x', answer: 'y' }, 'preview']],
      bad_note: [['register_key', { note: 'x' }, 'reserve-board/agent-id/v1']],
      key_unknown: [
        ['preview_message', { ...fresh, agent_id: nobody }, 'register_key'],
      ],
    };
    const all = Object.entries(cases).flatMap(([error, rows]) =>
      rows.map((row) => [error, ...row] as const),
    );
    for (const [error, name, args, next] of all) {
      const told = await refusal(name, args);
      const at = `${name} ${JSON.stringify(args)} ${JSON.stringify(told)}`;
      expect(told.error, at).to.equal(error);
      expect(told.detail, at).to.be.a('string').that.does.not.include('/^');
      expect(told.next_call, at).to.include(next);
      const printed = /^Call (\w+) with (\{.*\})\.$/.exec(told.next_call);
      if (printed !== null) {
        const [, tool = '', json = ''] = printed;
        const { answer } = await call(tool, JSON.parse(json));
        expect(answer.field, at).to.equal(undefined);
      }
      for (const [, named = ''] of told.next_call.matchAll(/call (\w+)/gi)) {
        if (named !== 'the') expect(names, at).to.include(named);
      }
    }
    const { faults } = await refusal('search', { query: 'xy', limit: '5' });
    expect(faults?.map(({ detail }) => detail)).to.deep.equal([
      '`query` is no argument of search; send its value as `q`.',
      '`limit` must be an integer; send 5 without quotes.',
    ]);
    const other = await rpc('messages/list');
    expect(other.body.error.code).to.equal(-32_601);
    for (const known of ['tools/list', 'tools/call', ...names]) {
      expect(other.body.error.message).to.include(known);
    }
    const byName = await rpc('read_thread', { id: 1 });
    expect(byName.body.error.message).to.include('"name": "read_thread"');
    const { body } = await rpc('tools/call', { name: 'reed_thread' });
    expect(body.error.code).to.equal(-32_602);
    for (const name of names) expect(body.error.message).to.include(name);
  });

  it('take null, and nothing where something must be, as left out', async () => {
    for (const [name, args] of [
      ['list_threads', { limit: null, room: '', before: null, board: '' }],
      ['read_thread', { id: topic, last: null, since: '', preview: [] }],
      [
        'preview_message',
        {
          ...{ request_id: randomUUID(), title: 'T', body: 'B', name: '' },
          ...{ reply_to: null, poll: {}, agent_id: '', room: null },
        },
      ],
      [
        'preview_message',
        {
          ...{ request_id: randomUUID(), title: 'T', body: 'B', reply_to: '' },
          poll: { question: 'Q', options: ['a', 'b'], duration_hours: null },
        },
      ],
    ] as const) {
      await ok(name, args);
    }
    // What a call cannot do without is asked for, not left out.
    const told = await refusal('search', { q: '', limit: null });
    expect(told).to.include({ error: 'invalid_input', field: 'q' });
    expect(told.next_call).to.match(/^Call search again with `q`/);
    expect(told.detail).not.to.include('leave it out');
    const asked = { agent_id: 'x', ids: '1', since: 1 };
    const two = await refusal('inbox', asked);
    expect(two.detail).to.match(/^`(?:ids|agent_id)` does not go with `\w+`;/);
  });

  it('read in text that names tools, a thread in at most 1.2 times its bytes', async () => {
    for (let n = 1; n <= 12; n += 1) {
      const post = { reply_to: topic, body: `Reply ${n}: ${'r'.repeat(90)}` };
      await publish(test, post, `203.0.113.${n}`);
    }
    const read = async (name: string, args: object) =>
      await rpc('tools/call', { name, arguments: args });
    const thread = await test.as().get(`/api/thread/${topic}/text?last=10`);
    const { text, body } = await read('read_thread', { id: topic, last: 10 });
    expect(text.length).to.be.below(1.2 * thread.text.length);
    const [{ text: said }] = body.result.content;
    const [, head = ''] = /^THREAD (.*)\n/.exec(said) ?? [];
    const [, tool = '', json = ''] =
      /^(\w+) (.*)$/.exec(JSON.parse(head).previous) ?? [];
    expect(tool).to.equal('read_thread');
    const { answer } = await call(tool, JSON.parse(json));
    expect(answer.text).to.match(/^THREAD .*"previous":null/);
    const small = { id: topic, max_bytes: 1000 };
    const [cut] = (await read('read_thread', small)).body.result.content;
    const [, rest = ''] =
      /^GAP \d+ left out: read_thread (.*)$/m.exec(cut.text) ?? [];
    const { text: left } = await ok('read_thread', JSON.parse(rest));
    expect(left).to.include('Reply');
    const brief = await read('board_brief', {});
    expect(Buffer.byteLength(brief.text)).to.be.below(4000);
    expect(brief.text)
      .to.include('list_threads')
      .and.not.match(/https?:/);
    const two = { ...small, last: 1 };
    const { answer: refused } = await call('read_thread', two);
    expect(refused.next_call).to.equal(
      `Call read_thread with {"id":${topic},"last":1}.`,
    );
  });

  it('turn what the board suggests into a call, and say how long to wait', async () => {
    const open = async () => {
      const args = { request_id: randomUUID(), title: 'T', body: 'Text.' };
      const preview = (await ok('preview_message', args)) as unknown as Preview;
      const { ticket, challenge } = preview;
      const step = { ticket, answer: solve(challenge) };
      return await call('publish', { ...step, confirm: 'publish-publicly' });
    };
    let last = await open();
    while (!last.isError) last = await open();
    const { answer } = last;
    expect(answer).to.include({ error: 'topic_budget_exhausted' });
    expect(answer).not.to.have.property('suggested_action');
    expect(answer.next_call).to.match(
      /^Call preview_message with \{.*"reply_to".*\}.* Wait \d+ seconds, then call publish /,
    );
  });
});

const BALLOT = { poll_id: 99, option: 'a', request_id: randomUUID() };

type Preview = {
  challenge: string;
  ticket: string;
  publish: { url: string };
  signing: { statement: string };
};
