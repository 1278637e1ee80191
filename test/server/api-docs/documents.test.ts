import { publishSigned, register } from '../../support/agent.js';
import { BASE_URL } from '../../support/board.js';
import { type OpenApi, operationsOf } from '../../support/described.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { removeRow } from '../../support/remove.js';
import { type Block, httpBlocks, send, type Values } from './http-blocks.js';

type Step = { url: string; json_template: object };

/** What a reader of the documents has to say, by the places it is for. */
const WORDS = {
  words: 'A body',
  room: 'findings',
  title: 'Which requests of the documents work',
  text: 'All of them: each was sent as it is printed.',
  name: 'scout',
  question: 'Which request is used most?',
  option: 'reading',
  other: 'writing',
  reason: 'spam',
  why: 'The same text in three threads.',
};

const LINK = /^- \[([^\]]+)\]\((\S+)\): \S.*$/;

describe('the documents', () => {
  const test = givenBoard({
    limits: {
      topics_per_source_hour: 100,
      writes_per_network_minute: 100,
      refused_per_network_minute: 5000,
    },
    env: { BOARD_TITLE: 'Test Board' },
  });
  let signed: number;
  let request: string;
  before(async () => {
    const agent = await register(test);
    const { message } = await publishSigned(test, agent, { body: 'Signed.' });
    signed = message.id;
    request = message.request_id;
  });

  const read = async (path: string): Promise<string> => {
    const { text } = await test.as().get(path).buffer(true).expect(200);
    return text;
  };

  const expectedOf = ({ method, url }: Block): number[] =>
    method === 'POST' && !/\/(?:preview|mcp)$/.test(url) ? [201] : [200];

  for (const name of [
    ...['skill.md', 'governance-reference.md', 'protocol.md', 'mesh.md'],
    ...['verify.md', 'llms.txt', 'heartbeat.md'],
  ]) {
    it(`/${name} has requests that do what they are said to`, async () => {
      const blocks = httpBlocks(await read(`/${name}`));
      expect(blocks.length).to.be.greaterThan(0);
      const values: Values = {
        ...{ ...WORDS, id: signed },
        ...{ uuid: request, cursor: 0 },
      };
      for (const [at, block] of blocks.entries()) {
        // Of the last message, not of the last ballot.
        if (/\/api\/requests\/<uuid>$/.test(block.url)) values.uuid = request;
        const { status, body } = await send(test, BASE_URL, block, values);
        request = body.message?.request_id ?? request;
        const what = `${block.method} ${block.url} ${JSON.stringify(body)}`;
        expect(expectedOf(block), what).to.include(status);
        // Where the text says so without a request of its own.
        const { publish: step } = body as { publish?: Step };
        if (step === undefined || blocks[at + 1]?.url === step.url) continue;
        const filled = { ...step.json_template, answer: values.answer };
        const finished = await test.post(
          step.url.slice(BASE_URL.length),
          filled,
        );
        expect(finished.status, finished.text).to.equal(201);
        const { message, poll } = finished.body;
        values.id = message?.id ?? values.id;
        request = message?.request_id ?? request;
        values.poll = poll?.id ?? values.poll;
      }
    });
  }

  it('have no UUID that a request can take from them', async () => {
    const texts = await Promise.all(
      [
        ...['/llms.txt', '/skill.md', '/protocol.md', '/identity.md'],
        ...['/mesh.md', '/verify.md', '/openapi.json', '/protocol/mesh.md'],
        '/protocol/mesh-vectors.json',
      ].map(read),
    );
    const uuids = texts
      .join('')
      .match(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g);
    const odd = ['0'.repeat(32), 'F'.repeat(32)].map((all) =>
      all.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    );
    const examples = new Set([...(uuids ?? []), ...odd]);
    expect(examples.size).to.be.greaterThan(6);
    for (const request_id of examples) {
      for (const [path, more] of [
        ['/write/preview', { title: 'A title', body: 'A text' }],
        ['/api/polls/1/votes/preview', { option: 'a' }],
        ['/api/reports', { kind: 'report', message_id: 1, reason: 'spam' }],
      ] as const) {
        const sent = { ...more, request_id };
        const { status, body } = await test.as().post(path).send(sent);
        expect([status, body.field], request_id).to.deep.equal([
          400,
          'request_id',
        ]);
        expect(body.detail).to.match(
          /is the example; make your own, as python3/,
        );
        const { json_template: again, url } = body.suggested_action;
        expect(again).to.deep.include(more);
        expect(again.request_id).not.to.equal(request_id);
        if (path !== '/write/preview') continue;
        await test.as().post(url.replace(BASE_URL, '')).send(again).expect(200);
      }
    }
  });

  it('leave no text on a board but the words of their reader', async () => {
    const { body } = await test.as().get('/api/updates?limit=100');
    const own = new Set(['Signed.', WORDS.text]);
    for (const message of body.data) {
      expect(own, message.body).to.include(message.body);
    }
    const { data } = (await test.as().get('/api/polls')).body;
    expect(data[0]).to.include({ question: WORDS.question });
    expect(data[0].tally.voters).to.equal(1);
  });

  it('are pages for whoever names HTML, and their bytes for all others', async () => {
    for (const name of [
      ...['rules.md', 'skill.md', 'protocol.md', 'identity.md'],
      ...['mesh.md', 'verify.md', 'heartbeat.md'],
    ]) {
      const asked = (accept: string, path = `/${name}`) =>
        test.as().get(path).set('Accept', accept).buffer(true).expect(200);
      const page = await asked('text/html,*/*;q=0.8');
      expect(page.headers['content-type']).to.match(/^text\/html/);
      expect(page.headers.vary).to.contain('Accept');
      expect(page.headers['content-security-policy']).to.contain(
        "style-src 'self'",
      );
      expect(page.text).to.match(/<title>[^<]+ · Test Board<\/title>/);
      expect(page.text).to.match(/<h1[^>]*>/);
      expect(page.text).not.to.match(/<script|href="[^"]*\/(?:write|votes)/);
      expect(page.text).not.to.contain('compatibility: ');
      const bytes = await asked('*/*');
      expect(bytes.headers['content-type']).to.match(/^text\/markdown/);
      expect(bytes.headers.vary).to.contain('Accept');
      for (const [accept, path] of [
        ['text/markdown, text/html, */*', `/${name}`],
        ['application/json', `/${name}`],
        ['text/html', `/${name}?format=text`],
      ] as const) {
        const { text } = await asked(accept, path);
        expect(text, `${accept} ${path}`).to.equal(bytes.text);
      }
    }
  });

  it('/llms.txt is in the format of llmstxt.org', async () => {
    const lines = (await read('/llms.txt')).trimEnd().split('\n');
    expect(lines[0]).to.equal('# Test Board');
    expect(lines.filter((line) => /^# /.test(line))).to.have.length(1);
    expect(lines.slice(1).find((line) => line !== '')).to.match(/^> \S/);
    const start = lines.findIndex((line) => line.startsWith('## '));
    const sections = lines.slice(start).filter((line) => line !== '');
    for (const line of sections) {
      if (!line.startsWith('## ')) expect(line).to.match(LINK);
    }
    const titles = sections.filter((line) => line.startsWith('## '));
    expect(titles.at(-1)).to.equal('## Optional');
    expect(new Set(titles).size).to.equal(titles.length);
  });

  it('stay short enough to be read whole', async () => {
    const { body } = await test.as().get('/api/protocol');
    const { baseUrl } = test.board.context.config;
    const most: Record<string, number> = {
      'skill.md': 6000,
      'llms.txt': 4000,
      'heartbeat.md': 1500,
    };
    for (const { name } of body.documents) {
      const text = await read(`/${name}`);
      // The list of paths grows with the board, a short line for each.
      const listed = text.match(/^- `(?:GET|POST) \/.*\n/gm) ?? [];
      for (const line of listed)
        expect(Buffer.byteLength(line)).to.be.below(220);
      const own = text.replace(listed.join(''), '');
      const away = own.replaceAll(baseUrl, 'https://board.example.org');
      const bytes = Buffer.byteLength(name in most ? away : own);
      const bound = listed.length > 0 ? 6400 : 12_000;
      expect(bytes, name).to.be.at.most(most[name] ?? bound);
    }
  });

  it('tell nobody to run a package that is not published', async () => {
    const { body } = await test.as().get('/api/protocol');
    for (const { name } of body.documents) {
      expect(await read(`/${name}`), name).not.to.match(/\bnp(?:x|m) /);
    }
  });

  it('recruit nobody', async () => {
    const invitation = await read('/invite.txt');
    expect(invitation).to.include('Nobody is asked to take part');
    expect(invitation).not.to.match(/\b(?:join us|sign up|please post)\b/i);
    expect(invitation).not.to.include('/write/');
  });
});

describe('/reference', () => {
  const test = givenBoard({ env: { BOARD_TITLE: 'Board <b>&</b>' } });
  let html: string;
  let document: OpenApi;
  const pages = new Map<string, string>();
  before(async () => {
    const answer = await test.as().get('/reference').expect(200);
    expect(answer.headers['content-type']).to.equal('text/html; charset=utf-8');
    html = answer.text;
    const described = await test.as().get('/openapi.json');
    document = JSON.parse(described.text) as OpenApi;
    pages.set('/reference', html);
    for (const { name } of document.tags) {
      const path = `/reference/${name.toLowerCase()}`;
      pages.set(path, (await test.as().get(path).expect(200)).text);
    }
    await test.as().get('/reference/nothing').expect(404);
  });

  const idsOf = (page: string) =>
    new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));

  it('has no script and asks no other host for anything', () => {
    for (const page of pages.values()) {
      expect(page).not.to.match(/<script|\son\w+=|javascript:|<iframe|<img/i);
      const parts = [
        ...page.matchAll(/<(?:link rel="stylesheet"|img|source)[^>]*>/g),
      ];
      expect(parts).to.have.length(1);
      for (const [part] of parts) expect(part).to.match(/href="\/[^/]/);
    }
    expect(html).to.include('Board &lt;b&gt;&amp;&lt;/b&gt;');
  });

  it('lists every operation and error, each operation with its page', () => {
    for (const { method, path, operation } of operationsOf(document)) {
      const { operationId, summary, tags } = operation;
      const page = `/reference/${tags[0]?.toLowerCase()}`;
      expect(html).to.include(`href="${page}#${operationId}"`);
      expect(html).to.include(
        `<span class="method ${method}">${method.toUpperCase()}</span> ${path}`,
      );
      expect(html).to.include(summary.replaceAll('&', '&amp;'));
      expect(idsOf(pages.get(page) ?? ''), page).to.include(operationId);
    }
    expect(html).to.include('<code>already_voted</code>');
    expect(Buffer.byteLength(html)).to.be.below(60_000);
  });

  it('shows each schema on the pages that need it', () => {
    const all = [...pages.values()].flatMap((page) => [...idsOf(page)]);
    for (const name of Object.keys(document.components.schemas)) {
      expect(all).to.include(`schema-${name}`);
    }
  });

  it('has ids that are its own, and links that lead to them', () => {
    for (const [path, page] of pages) {
      const all = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(all).size, path).to.equal(all.length);
      const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
      expect(all).to.include.members([...new Set(links)]);
    }
  });
});

const HOUR_MS = 3_600_000;

describe('/api/rooms', () => {
  const test = givenBoard({ ledger: false });

  it('counts nothing on an empty board', async () => {
    const { body } = await test.as().get('/api/rooms').expect(200);
    expect(body).to.have.all.keys('data', 'count', 'community');
    expect(body.count).to.equal(4);
    const rooms = body.data.map(({ room }: { room: string }) => room);
    expect(rooms).to.deep.equal(['lobby', 'findings', 'questions', 'workshop']);
    for (const room of body.data) {
      expect(room).to.include({ topics: 0, messages: 0 });
      expect(room.last_message_id).to.equal(null);
      expect(room.last_activity_at).to.equal(null);
    }
  });

  it('counts topics and messages of each room, removed ones not', async () => {
    await publish(test, { room: 'findings' });
    await publish(test, { reply_to: 1 });
    test.clock.advance(HOUR_MS);
    await publish(test, { reply_to: 1 });
    await publish(test, { room: 'workshop' });
    await removeRow(test, 3);
    const { body } = await test.as().get('/api/rooms');
    expect(body.data[1]).to.include({
      room: 'findings',
      topics: 1,
      messages: 2,
      last_message_id: 2,
      last_activity_at: '2026-01-15T12:00:00Z',
      url: 'http://board.test/?room=findings',
      threads_url: 'http://board.test/api/threads?room=findings',
    });
    expect(body.data[3]).to.include({ topics: 1, messages: 1 });
    expect(body.data[3].last_activity_at).to.equal('2026-01-15T13:00:00Z');
  });

  it('goes on from what it has counted, and back for what is removed', async () => {
    const counts = async () => {
      const { body } = await test.as().get('/api/rooms');
      return body.data.map(
        (room: {
          topics: number;
          messages: number;
          last_message_id: number;
        }) => [room.topics, room.messages, room.last_message_id],
      );
    };
    const [lobby, findings, questions, workshop] = await counts();
    await publish(test, { room: 'lobby' });
    await publish(test, { reply_to: 5 });
    await publish(test, { reply_to: 1 });
    expect(await counts()).to.deep.equal([
      [1, 2, 6],
      [1, 3, 7],
      questions,
      workshop,
    ]);
    await removeRow(test, 7);
    await removeRow(test, 6);
    await removeRow(test, 5);
    expect(await counts()).to.deep.equal([
      lobby,
      findings,
      questions,
      workshop,
    ]);
  });
});
