import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Message } from '../../../server/db/entities/message.js';
import type { TestBoard } from '../../support/board.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { freshNetwork } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';
import { parseExport } from './parse-export.js';

const HOSTILE = [
  'MESSAGE {"id":999,"body_bytes":3}\nabc\nEND {"messages":1}\n',
  'END {"messages":0,"bytes":0,"sha256":""}',
  'REMOVED {"id":1}\n',
  'CRLF\r\nand\rCR\r\n',
  'no final newline',
  '\n\n\nleading and trailing\n\n\n',
  '\ufeffBOM, \u2028line\u2029paragraph, \u0085next, \u{1f600}\u0301',
  'x',
  `tabs\tand \u0001 controls \u001b[31m`,
  'é'.repeat(4000),
];
const KEYS = [
  ...['id', 'root_id', 'reply_to', 'room', 'author', 'agent_id'],
  ...['signature_status', 'created_at', 'title', 'body_bytes', 'body_sha256'],
];
async function download(
  test: TestBoard,
  from = freshNetwork(),
): Promise<Buffer> {
  const answer = await test
    .get('/all.txt', from)
    .buffer(true)
    .parse((res, done) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => done(null, Buffer.concat(chunks)));
    });
  expect(answer.status).to.equal(200);
  expect(answer.headers['content-type']).to.equal('text/plain; charset=utf-8');
  expect(answer.headers).to.have.property('x-board-participation');
  return answer.body as Buffer;
}

describe('/all.txt', () => {
  const test = givenBoard({
    lifted: true,
    limits: { exports_per_network_hour: 2 },
    ledger: false,
  });

  const newest = async () => (await rows(test).maximum(Message, 'id')) ?? 0;

  async function insertMany(count: number, bytes: number): Promise<void> {
    const from = await newest();
    await test.board.context.writes.query(
      `INSERT INTO message (id, root_id, room, author, title, body, salt,
         created_at, request_id, message_hash, log_index, vote_secret,
         last_activity_id)
       SELECT n, n, 'lobby', 'a', 't', repeat('b', $3::int), '\\x00',
         1767225600000, gen_random_uuid(), '\\x00', n + 100000, '\\x00', n
       FROM generate_series($1::int, $2::int) AS n`,
      [from + 1, from + count, bytes],
    );
  }

  it('is END alone while nothing is published', async () => {
    const { records, end } = parseExport(await download(test));
    expect(records).to.deep.equal([]);
    expect(end).to.deep.equal({
      messages: 0,
      bytes: 0,
      sha256: createHash('sha256').digest('hex'),
    });
  });

  it('gives every hostile body back byte for byte', async () => {
    for (const body of HOSTILE)
      await publish(test, { title: body.slice(0, 60), body });
    const to = await newest();
    await publish(test, { reply_to: to, body: 'a reply', name: 'nom "é"\n' });
    const all = await download(test);
    const parsed = parseExport(all);
    const own = parsed.records.slice(-HOSTILE.length - 1);
    [...HOSTILE, 'a reply'].forEach((body, at) => {
      const record = own[at];
      expect(record?.kind).to.equal('MESSAGE');
      expect(record?.body.toString('utf8')).to.equal(body);
      expect(Object.keys(record?.head ?? {})).to.deep.equal(KEYS);
      const line = `MESSAGE ${JSON.stringify(record?.head)}\n${body}\n`;
      expect(all.includes(line)).to.equal(true);
      const sha256 = createHash('sha256').update(body).digest('hex');
      expect(record?.head.body_sha256).to.equal(sha256);
    });
    expect(parsed.records.at(-1)?.head).to.include({
      reply_to: to,
      root_id: to,
      author: 'nom "é"\n',
      title: null,
      signature_status: 'guest',
    });
    expect(parsed.end).to.deep.equal({
      messages: parsed.records.length,
      bytes: parsed.bytesBefore,
      sha256: parsed.hashBefore,
    });
  });

  it('has a tag that holds until the log grows', async () => {
    await publish(test);
    const first = await test.as().get('/all.txt');
    const tag = first.headers.etag ?? '';
    const same = await test.as().get('/all.txt').set('If-None-Match', tag);
    expect(same.status).to.equal(304);
    expect(same.headers.etag).to.equal(tag);
    const head = await test.as().head('/all.txt');
    expect(head.headers.etag).to.equal(tag);
    await publish(test);
    const other = await test.as().get('/all.txt').set('If-None-Match', tag);
    expect(other.status).to.equal(200);
    expect(other.headers.etag).not.to.equal(tag);
  });

  it('counts exports of a network, but no 304', async () => {
    const own = test.as('198.51.100.8');
    const tag = (await own.head('/all.txt')).headers.etag ?? '';
    for (let i = 0; i < 3; i += 1) {
      await own.get('/all.txt').set('If-None-Match', tag).expect(304);
    }
    await download(test, '198.51.100.8');
    await download(test, '198.51.100.8');
    const refused = await own.get('/all.txt').expect(429);
    expect(refused.body.scope).to.equal('exports_per_network_hour');
    expect(refused.headers['retry-after']).to.equal(
      String(refused.body.retry_after_seconds),
    );
    await download(test, '198.51.100.7');
  });

  it('streams many batches, in order', async () => {
    const before = await newest();
    await insertMany(1001, 50);
    const { records, end } = parseExport(await download(test));
    expect(end.messages).to.equal(before + 1001);
    expect(records.map(({ head }) => head.id)).to.deep.equal(
      Array.from({ length: before + 1001 }, (_, at) => at + 1),
    );
  });

  it('ends with readers that go away, and serves others again', async () => {
    await insertMany(6000, 4000);
    const all = await newest();
    const stalled: Socket[] = [];
    for (let i = 0; i < 4; i += 1) {
      const socket = connect(Number(new URL(test.url).port), '127.0.0.1');
      socket.write(
        `GET /all.txt HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.${i}\r\n\r\n`,
      );
      await once(socket, 'readable'); // and reads no further
      stalled.push(socket);
    }
    await until('four exports wait for their readers', async () => {
      // PostgreSQL may look after so many new rows meanwhile.
      const [busy] = await test.board.context.writes.query<{ n: number }>(
        `SELECT count(*) AS n FROM pg_stat_activity
         WHERE datname = current_database() AND xact_start IS NOT NULL
           AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      );
      return busy?.n === 4;
    });
    const waiting = download(test);
    for (const socket of stalled) socket.destroy();
    const { end } = parseExport(await waiting);
    expect(end.messages).to.equal(all);
  });
});
