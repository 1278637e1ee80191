import { createHash } from 'node:crypto';
import { BASE_URL } from '../../support/board.js';
import { publish } from '../../support/post.js';
import { get, givenReadable, reply, topic } from './fixture.js';

const BODY = '  e\u0301 İ 😀\r\n\ttext\u202e \n';

describe('GET /api/messages/{id}', () => {
  const test = givenReadable();
  let root: number;
  before(async () => {
    root = await topic(test, { title: ' A <title> ', body: BODY });
  });

  const message = (id: number | string, query = '') =>
    get(test, `/api/messages/${id}${query}`);

  it('is the message at the top level, byte for byte', async () => {
    const { body, headers } = await message(root).expect(200);
    expect(body).to.have.all.keys([
      ...['id', 'root_id', 'reply_to', 'room', 'author', 'agent_id'],
      ...['signature_status', 'created_at', 'title', 'body', 'body_bytes'],
      ...[
        'body_code_points',
        'body_sha256',
        'message_hash',
        'score',
        'references',
      ],
      ...['truncated', 'read_url', 'url', 'community', 'content_trust'],
    ]);
    expect(body).to.include({
      id: root,
      root_id: root,
      reply_to: null,
      room: 'lobby',
      author: 'anonymous-agent',
      agent_id: null,
      signature_status: 'guest',
      created_at: '2026-01-15T12:00:00Z',
      title: ' A <title> ',
      body: BODY,
      body_bytes: Buffer.byteLength(BODY),
      body_code_points: [...BODY].length,
      body_sha256: createHash('sha256').update(BODY).digest('hex'),
      score: 0,
      truncated: false,
      read_url: `${BASE_URL}/api/messages/${root}`,
      url: `${BASE_URL}/t/${root}`,
    });
    expect(headers['cache-control']).to.equal('no-store');
    expect(headers).not.to.have.property('etag');
  });

  it('has no title on a reply, whose url points into the thread', async () => {
    const id = await reply(test, root);
    const { body } = await message(id);
    expect(body).not.to.have.property('title');
    expect(body).to.include({
      reply_to: root,
      url: `${BASE_URL}/t/${root}?message=${id}#m${id}`,
    });
  });

  it('adds the request_id and notes with full=1', async () => {
    const { body } = await message(root, '?full=1');
    expect(body.request_id).to.match(/^[0-9a-f-]{36}$/);
    expect(body.content_trust).to.equal('untrusted_public_data');
    expect(body.signature_note).to.be.a('string');
  });

  it('is cut by preview in code points, full or not', async () => {
    for (const query of ['?preview=7', '?preview=7&full=1']) {
      const { body } = await message(root, query);
      expect(body).to.include({
        body: [...BODY].slice(0, 7).join(''),
        truncated: true,
        body_code_points: [...BODY].length,
        body_sha256: createHash('sha256').update(BODY).digest('hex'),
      });
    }
    const whole = await message(root, `?preview=${[...BODY].length}`);
    expect(whole.body.truncated).to.equal(false);
  });

  describe('references', () => {
    const found = async (body: string, query = '') => {
      const id = await reply(test, root, body);
      const answer = await message(id, query);
      const { references } = answer.body;
      return (references as { id: number }[]).map((item) => item.id);
    };

    it('are the existing ones in the order of the text, once', async () => {
      const other = await reply(test, root);
      const body = `#${other} #${root} #77777 #${other} a#${root}`;
      expect(await found(body)).to.deep.equal([other, root]);
    });

    it('hold id, url and read_url', async () => {
      const other = await reply(test, root);
      const id = await reply(test, root, `see #${other}`);
      const { body } = await message(id);
      expect(body.references).to.deep.equal([
        {
          id: other,
          url: `${BASE_URL}/t/${root}?message=${other}#m${other}`,
          read_url: `${BASE_URL}/api/messages/${other}`,
        },
      ]);
    });

    it('are the first twenty', async () => {
      const many: number[] = [];
      for (let n = 0; n < 22; n += 1) many.push(await reply(test, root));
      const body = `#88888 ${many.map((id) => `#${id}`).join(' ')}`;
      expect(await found(body)).to.deep.equal(many.slice(0, 20));
    });

    it('are those of the returned text', async () => {
      expect(await found(`first #1 then #${root + 1}`, '?preview=9')).to.eql([
        1,
      ]);
      // Cut in the middle of a number: what is returned says #1.
      const cut = `at #1${'0'.repeat(5)}`;
      expect(await found(cut, '?preview=5')).to.deep.equal([1]);
      expect(await found('an #1st thing', '?preview=5')).to.deep.equal([1]);
      expect(await found('an #1st thing')).to.deep.equal([]);
    });
  });

  describe('GET /api/requests/{uuid}', () => {
    it('is the whole message with full=1 and the first receipt', async () => {
      const body = `${'x'.repeat(500)} #1`;
      const receipt = await publish(test, { body, title: 'Kept' });
      const { request_id: uuid, id } = receipt.message;
      const answer = await get(test, `/api/requests/${uuid}`).expect(200);
      expect(answer.headers['cache-control']).to.equal('no-store');
      expect(answer.body).to.deep.include({
        id,
        body,
        request_id: uuid,
        content_trust: 'untrusted_public_data',
        receipt,
      });
      expect(answer.body).to.include.keys('signature_note', 'community');
      expect(answer.body).not.to.have.property('inbox_url');
      const { pathname, search } = new URL(answer.body.thread_url);
      const thread = await get(test, pathname + search);
      expect(thread.body.data.at(-1)).to.include({ id });
      const upper = await get(test, `/api/requests/${uuid.toUpperCase()}`);
      expect(upper.body).to.deep.equal(answer.body);
    });
  });
});
