import { createHash } from 'node:crypto';
import { toBase64 } from '../../../protocol/bytes.js';
import { openCheckpoint } from '../../../protocol/checkpoint.js';
import { verifyConsistency } from '../../../protocol/consistency.js';
import { contentFromJson, contentHash } from '../../../protocol/content.js';
import { parseVkey } from '../../../protocol/vkey.js';
import { LogEntry, LogState } from '../../../server/db/entities/log.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { randomBytes } from '../../support/random.js';
import { removeRow } from '../../support/remove.js';
import { rows } from '../../support/rows.js';

/** RFC 6962 by its definition, without any code of the board. */
function naiveLeaf(leaf: string): Buffer {
  return createHash('sha256').update('\0').update(leaf).digest();
}

function naiveRoot(hashes: readonly Buffer[]): Buffer {
  const [only] = hashes;
  if (only === undefined) return createHash('sha256').digest();
  if (hashes.length === 1) return only;
  let split = 1;
  while (split * 2 < hashes.length) split *= 2;
  return createHash('sha256')
    .update('\x01')
    .update(naiveRoot(hashes.slice(0, split)))
    .update(naiveRoot(hashes.slice(split)))
    .digest();
}

/** A C2SP entry bundle: u16be length and bytes of each leaf. */
function naiveBundle(leaves: readonly string[]): Buffer {
  const parts = leaves.flatMap((leaf) => {
    const bytes = Buffer.from(leaf, 'utf8');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return [length, bytes];
  });
  return Buffer.concat(parts);
}

const SIZES = [1, 2, 3, 255, 256, 257, 511, 512, 513];
const TILE = 256;

describe('the log as auditors read it', () => {
  const test = givenBoard();
  let leaves: string[];
  const roots = new Map<number, Buffer>();

  async function growTo(size: number): Promise<void> {
    const where = { originId: 0 };
    const state = await rows(test).findOneByOrFail(LogState, where);
    const missing = size - state.size;
    await test.board.context.ledger.append(async (turn) => {
      for (let at = 0; at < missing; at += 1) {
        turn.append({
          type: 'evidence',
          at: turn.at,
          origin: 'other.example/log',
          kind: 'equivocation',
          evidence: randomBytes(32),
        });
      }
      return () => undefined;
    });
    const order = { idx: 1 } as const;
    const entries = await rows(test).find(LogEntry, { where, order });
    leaves = entries.map(({ leaf }) => String(leaf));
    roots.set(size, naiveRoot(leaves.map(naiveLeaf)));
    expect(leaves).to.have.length(size);
  }

  async function bytes(path: string): Promise<Buffer | number> {
    const answer = await test.as().get(path).buffer(true);
    if (answer.status !== 200) {
      expect(answer.body.error, path).to.equal('not_found');
      return answer.status;
    }
    expect(answer.headers['content-type']).to.equal('application/octet-stream');
    expect(answer.headers['cache-control']).to.equal(
      'public, max-age=31536000, immutable',
    );
    return answer.body as Buffer;
  }

  function expected(level: number, n: number, width: number): Buffer {
    const span = TILE ** level;
    const hashes = Array.from({ length: width }, (_, at) => {
      const from = (n * TILE + at) * span;
      return naiveRoot(leaves.slice(from, from + span).map(naiveLeaf));
    });
    return Buffer.concat(hashes);
  }

  async function expectTiles(level: number, count: number): Promise<void> {
    for (let n = 0; n * TILE <= count; n += 1) {
      const width = Math.min(count - n * TILE, TILE);
      const number = String(n).padStart(3, '0');
      const path = `/log/tile/${level}/${number}`;
      for (const part of [1, width - 1, width, width + 1]) {
        if (part < 1 || part >= TILE) continue;
        const answer = await bytes(`${path}.p/${part}`);
        const there = part <= width;
        const want = there ? expected(level, n, part) : 404;
        expect(answer, `${path}.p/${part}`).to.deep.equal(want);
      }
      const full = width === TILE ? expected(level, n, TILE) : 404;
      expect(await bytes(path), path).to.deep.equal(full);
    }
  }

  async function expectBundles(size: number): Promise<void> {
    for (let n = 0; n * TILE <= size; n += 1) {
      const width = Math.min(size - n * TILE, TILE);
      const path = `/log/tile/entries/${String(n).padStart(3, '0')}`;
      const part = (to: number) =>
        naiveBundle(leaves.slice(n * TILE, n * TILE + to));
      const full = width === TILE ? part(TILE) : 404;
      expect(await bytes(path), path).to.deep.equal(full);
      for (const some of [1, width, width + 1]) {
        if (some < 1 || some >= TILE) continue;
        const want = some <= width ? part(some) : 404;
        expect(await bytes(`${path}.p/${some}`)).to.deep.equal(want);
      }
    }
  }

  async function expectCheckpoint(size: number): Promise<void> {
    const { headers, text } = await test.as().get('/log/checkpoint');
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8');
    const { origin, keys } = {
      origin: test.board.context.board.origin,
      keys: test.board.context.keys,
    };
    const opened = openCheckpoint(text, keys.log.vkey);
    if (!opened.ok) throw new Error(opened.reason);
    expect(opened.value.origin).to.equal(origin);
    expect(opened.value.size).to.equal(size);
    expect(Buffer.from(opened.value.root)).to.deep.equal(roots.get(size));
  }

  async function expectConsistency(to: number): Promise<void> {
    for (const from of [0, ...SIZES.filter((size) => size <= to)]) {
      const { body } = await test
        .get(`/log/consistency?from=${from}&to=${to}`)
        .expect(200);
      expect(body).to.have.all.keys('from', 'to', 'hashes');
      const proof = (body.hashes as string[]).map((hash) =>
        Buffer.from(hash, 'base64'),
      );
      const first = roots.get(from);
      const second = roots.get(to);
      if (first === undefined || second === undefined) {
        expect(proof).to.have.length(0);
        continue;
      }
      const verified = verifyConsistency(from, to, first, second, proof);
      expect(verified, `${from} → ${to}`).to.equal(true);
    }
  }

  for (const size of SIZES) {
    it(`serves what the leaves of size ${size} make`, async () => {
      await growTo(size);
      await expectCheckpoint(size);
      await expectTiles(0, size);
      await expectTiles(1, Math.floor(size / TILE));
      expect(await bytes('/log/tile/2/000.p/1')).to.equal(404);
      await expectBundles(size);
      await expectConsistency(size);
    });
  }

  it('keeps one spelling of every tile', async () => {
    const paths = [
      ...['0/0', '0/00', '0/0000', '0/x000/000', '00/000', '-1/000', '64/000'],
      ...['7/000', '0/000.p/0', '0/000.p/256', '0/000.p/01', '0/000/', '0'],
      ...['entries/0', 'entries', 'entries/000.p/256', '0/%30%30%30', '0/00A'],
      ...['0/x999/x999/x999/x999/x999/999', '6/x999/x999/x999/x999/999', ''],
      ...['63/000', '0//000', 'Entries/000'],
    ];
    for (const path of paths) {
      await test.as().get(`/log/tile/${path}`).expect(404);
    }
  });

  it('answers 304 to the tag of a tile and HEAD without a body', async () => {
    const tile = await test.as().get('/log/tile/0/000');
    const again = await test
      .get('/log/tile/0/000')
      .set('If-None-Match', tile.headers.etag ?? '');
    expect(again.status).to.equal(304);
    const head = await test.as().head('/log/tile/0/000');
    expect(head.headers['content-length']).to.equal(String(TILE * 32));
    expect(head.headers['access-control-allow-origin']).to.equal('*');
  });

  it('refuses consistency beyond the log, naming the field', async () => {
    const cases: [string, string][] = [
      ['from=3&to=2', 'from'],
      ['from=1&to=514', 'to'],
      ['from=514&to=514', 'to'],
      ['to=2', 'from'],
      ['from=2', 'to'],
      ['from=1&from=1&to=2', 'from'],
      ['from=01&to=2', 'from'],
      ['from=1&to=1e2', 'to'],
      ['from=0&to=999999999999999', 'to'],
    ];
    for (const [query, field] of cases) {
      const { status, body } = await test.as().get(`/log/consistency?${query}`);
      expect(status, query).to.equal(400);
      expect(body.error).to.equal('invalid_input');
      expect(body.field, query).to.equal(field);
    }
  });

  it('signs checkpoints that the vkey in /api/protocol verifies', async () => {
    const { body } = await test.as().get('/api/protocol');
    const vkey = parseVkey(body.signatures.log.vkey);
    if (!vkey.ok) throw new Error(vkey.reason);
    const { text } = await test.as().get('/log/checkpoint');
    expect(openCheckpoint(text, vkey.value).ok).to.equal(true);
  });

  it("serves a guest's content under the hash that its entry holds", async () => {
    const body = 'Line one\r\nline two \u{1f600} without an end';
    for (const post of [
      { title: ' Title ', body, name: 'agent\u0301' },
      { reply_to: 1, body: `${body}\n\n` },
    ]) {
      const receipt = await publish(test, post);
      const { index } = receipt.log;
      const answer = await test.as().get(`/log/content?index=${index}`);
      expect(answer.status).to.equal(200);
      expect(answer.body).to.have.all.keys('index', 'content');
      expect(answer.body.index).to.equal(index);
      expect(answer.headers['cache-control']).to.equal('no-store');
      expect(answer.headers).not.to.have.property('etag');
      const content = contentFromJson(answer.body.content);
      if (!content.ok) throw new Error(content.reason);
      expect(content.value.body).to.equal(post.body);
      const entry = await rows(test).findOneByOrFail(LogEntry, {
        ...{ originId: 0, idx: index },
      });
      const hash = toBase64(contentHash(content.value));
      expect(String(entry.leaf)).to.include(`\ncontent ${hash}\n`);
    }
  });

  it('serves no content once the message is removed', async () => {
    const receipt = await publish(test, { title: 'To be removed' });
    await removeRow(test, receipt.message.id);
    const { status, body } = await test.get(
      `/log/content?index=${receipt.log.index}`,
    );
    expect(status).to.equal(410);
    expect(body.error).to.equal('content_removed');
  });

  it('has no content, 404, where no post stands and 400 without an index', async () => {
    for (const index of [0, 1000, 999_999_999_999_999]) {
      const answer = await test.as().get(`/log/content?index=${index}`);
      expect(answer.status).to.equal(404);
      expect(answer.body.error).to.equal('not_found');
    }
    for (const query of ['', '?index=', '?index=-1', '?index=1&index=1']) {
      const answer = await test.as().get(`/log/content${query}`).expect(400);
      expect(answer.body.field).to.equal('index');
    }
  });
});
