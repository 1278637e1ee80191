import vectors from '../../docs/spec/mesh-vectors.json' with { type: 'json' };
import { mirrorPrefix } from '../../mesh/pull/store/mirror-log.js';
import { NODE_AGENT } from '../../server/http/headers.js';
import { publishSigned, register } from '../support/agent.js';
import { decideTo } from '../support/decide.js';
import { given } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { until } from '../support/until.js';
import { befriend, twoNodes } from './peers/node-on-port.js';
import { withoutAnchors } from './support/without-anchors.js';

/** Reads that are 400, with the wrong field (spec/mesh.md §B4, §B9). */
function refusedFields(
  name: string,
  mirror: string,
): [path: string, field: string, error?: 'invalid_unicode'][] {
  const board = `/api/mesh/boards/${name}`;
  return [
    ...['/log', mirror].flatMap((log): [string, string][] => [
      [`${log}/feed`, 'from'],
      [`${log}/feed?from=-1`, 'from'],
      [`${log}/feed?from=01`, 'from'],
      [`${log}/feed?from=1e0`, 'from'],
      [`${log}/feed?from=9007199254740993`, 'from'],
      [`${log}/feed?from=0&from=0`, 'from'],
      [`${log}/feed?from=0&limit=0`, 'limit'],
      [`${log}/feed?from=0&limit=257`, 'limit'],
      [`${log}/feed?from=0&content=ALL`, 'content'],
      [`${log}/feed?from=0&wait=26`, 'wait'],
      [`${log}/consistency?from=0`, 'to'],
      [`${log}/consistency?from=3&to=2`, 'from'],
      [`${log}/consistency?from=1&to=999`, 'to'],
      [`${log}/content`, 'index'],
      [`${log}/content?index=x`, 'index'],
    ]),
    ['/api/mesh/search', 'q'],
    ['/api/mesh/search?q=a', 'q'],
    [`/api/mesh/search?q=${'a'.repeat(101)}`, 'q'],
    ['/api/mesh/search?q=aa&limit=101', 'limit'],
    ['/api/mesh/search?q=aa&before=-1', 'before'],
    ['/api/mesh/search?q=aa&q=bb', 'q'],
    ['/api/mesh/search?q=ab%00', 'q', 'invalid_unicode'],
    ['/api/mesh/search?q=ab&board=%00', 'board', 'invalid_unicode'],
    ['/api/mesh/updates?since=x', 'since'],
    ['/api/mesh/updates?since=-1', 'since'],
    ['/api/mesh/updates?since=1&since=2', 'since'],
    ['/api/mesh/updates?wait=26', 'wait'],
    ['/api/mesh/updates?limit=0', 'limit'],
    [`${board}/threads?sort=old`, 'sort'],
    [`${board}/threads?visibility=none`, 'visibility'],
    [`${board}/thread/1?last=101`, 'last'],
    [`${board}/thread/1?before=2&last=1`, 'before'],
    [`${board}/thread/1?format=html`, 'format'],
    [`${board}/updates?limit=101`, 'limit'],
    [`${board}/messages/1?preview=4001`, 'preview'],
    [`${board}/messages/1/proof?format=text`, 'format'],
  ];
}

function keysOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(keysOf);
  if (typeof value !== 'object' || value === null) return null;
  return Object.entries(value).map(([key, below]) => [key, keysOf(below)]);
}

/** Read over HTTP: spec/mesh.md §B4, §B6 and §B9. */
describe('the routes of the mesh, to the letter', () => {
  const limits = { mesh_get_bytes_per_network_minute: 1e9 };
  const { a, b } = given(twoNodes({}, { limits }));
  let name: string;
  let size: number;
  let mirror: string;

  before(async () => {
    await withoutAnchors(a);
    name = await befriend(b, a);
    await befriend(a, b, 'relay');
    const agent = await register(a);
    const topic = await publishSigned(a, agent, { title: 'A topic' });
    const reply_to = topic.message.id;
    await publish(a, { body: 'By a guest.', reply_to });
    await publishSigned(a, agent, { body: 'To be removed.', reply_to });
    // What is removed before it was fetched never becomes readable there.
    await until('the text mirrored', async () => {
      const { body } = await b.as().get('/api/mesh/updates?limit=100');
      return body.count === 3;
    });
    await decideTo.remove(a, 3);
    mirror = mirrorPrefix(`${name}/log`);
    await until('cosigned', async () => {
      const { body } = await a.as().get('/api/mesh');
      size = body.log.size;
      return body.peers[0].acked_size === size && size === 6;
    });
  });

  const get = (path: string) => b.as().get(path);

  it('show the mesh document of the vectors, key by key', async () => {
    const { body, headers } = await a.as().get('/api/mesh');
    const { community, ...document } = body;
    const { last_error: _, ...peer } = document.peers[0];
    const { mesh_document: older } = structuredClone(vectors);
    // Added since (spec/board.md §16.10).
    const messages = { signed: 1, guest: 1 };
    const peers = older.peers.map((shown) => ({
      ...shown,
      status_reason: null,
      level: null,
    }));
    const expected = { ...older, board: { ...older.board, messages }, peers };
    Object.assign(expected, { level: 4, next_before: null });
    expect(keysOf(document)).to.eql(keysOf(expected));
    expect(document.board.messages).to.eql(messages);
    expect(Object.keys(body).at(-1)).to.equal('community');
    expect(community.rules_url).to.equal(`${a.url}/rules.md`);
    expect(document.endpoints).to.eql(expected.endpoints);
    expect(document.limits).to.eql(expected.limits);
    expect(peer).to.include({ trust: 'relay', status: 'active' });
    // The log's own line and the line of whoever cosigned it.
    const lines = document.log.checkpoint.split('\n\n')[1].split('\n');
    const { name: cosigner } = b.board.context.board;
    expect(lines[0]).to.match(new RegExp(`^— ${name}/log `));
    expect(lines[1]).to.match(new RegExp(`^— ${cosigner}/mirror `));
    expect(headers['access-control-allow-origin']).to.equal('*');
    expect(headers['x-content-type-options']).to.equal('nosniff');
  });

  it('spare other nodes what only browsers act on, where nobody keeps it', async () => {
    const nodes = { 'User-Agent': NODE_AGENT };
    const [feed, head] = ['feed?from=0', 'checkpoint'];
    const bare = await a.as().get(`/log/${feed}`).set(nodes);
    expect(bare.headers).to.include({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
    });
    const names = ['permissions-policy', 'content-security-policy'];
    expect(bare.headers).to.not.have.any.keys(names);
    const others = [
      await a.as().get(`/log/${feed}`),
      await a.as().get(`/log/${head}`).set(nodes),
    ];
    for (const { headers } of others) {
      expect(headers).to.include.all.keys(names);
    }
  });

  it('give of a mirrored log what its board gives of it', async () => {
    const paths = [
      'consistency?from=2&to=6',
      'content?index=2',
      'content?index=3',
      'tile/0/000.p/6',
      'tile/entries/000.p/6',
    ];
    for (const path of paths) {
      const own = await fetch(`${a.url}/log/${path}`);
      const kept = await fetch(`${b.url}${mirror}/${path}`);
      expect([kept.status, await kept.text()], path).to.eql([
        200,
        await own.text(),
      ]);
      for (const header of ['content-type', 'cache-control', 'etag']) {
        expect(kept.headers.get(header), path).to.equal(
          own.headers.get(header),
        );
      }
    }
    for (const content of ['none', 'signed', 'all']) {
      const query = `feed?from=0&limit=5&content=${content}`;
      const own = (await a.as().get(`/log/${query}`)).body;
      const kept = (await get(`${mirror}/${query}`)).body;
      expect(kept, content).to.eql(own);
    }
    const own = (await a.as().get('/log/checkpoint')).text;
    const kept = (await get(`${mirror}/checkpoint`)).text;
    const bare = own.replaceAll(/— \S+\/mirror \S+\n/g, '');
    expect(kept.startsWith(bare)).to.equal(true);
    expect(kept.slice(bare.length)).to.match(/^— \S+\/mirror \S+\n$/);
  });

  it('tell removed from never there, and both from out of range', async () => {
    for (const log of ['/log', mirror]) {
      const at = log === '/log' ? a.as() : b.as();
      const removed = await at.get(`${log}/content?index=4`);
      expect([removed.status, removed.body.error]).to.eql([
        410,
        'content_removed',
      ]);
      const none = await at.get(`${log}/content?index=0`);
      expect([none.status, none.body.error]).to.eql([404, 'not_found']);
      const ahead = await at.get(`${log}/feed?from=${size + 1}&wait=25`);
      expect([ahead.status, ahead.body.error]).to.eql([409, 'cursor_ahead']);
      expect(ahead.body.checkpoint.split('\n')[1]).to.equal(String(size));
      const level = await at.get(`${log}/feed?from=${size}`);
      expect(level.body).to.include({ from: size, to: size });
      expect(level.body.entries).to.eql([]);
    }
  });

  it('refuse what is no number of theirs, by the name of the field', async () => {
    for (const [path, field, error] of refusedFields(name, mirror)) {
      const { status, body } = await get(path);
      expect([status, body.error, body.field], path).to.eql([
        400,
        error ?? 'invalid_input',
        field,
      ]);
    }
  });

  it('know nothing of logs and boards that are not mirrored', async () => {
    const own = mirrorPrefix(b.board.context.board.origin);
    const unknown = [
      ['/mirror/abc/checkpoint', 'unknown_origin'],
      [`${own}/checkpoint`, 'unknown_origin'],
      [
        `${mirror.toUpperCase().replace('/MIRROR', '/mirror')}/feed?from=0`,
        'unknown_origin',
      ],
      [mirror, 'not_found'],
      [`${mirror}/tile/0/000`, 'not_found'],
      [`${mirror}/tile/0/000.p/7`, 'not_found'],
      [`${mirror}/tile/8/0/000`, 'not_found'],
      [`/api/mesh/boards/${name}/messages/2/proof`, 'not_signed'],
      [`/api/mesh/evidence/${'0'.repeat(64)}`, 'not_found'],
      ['/api/mesh/evidence/abc', 'not_found'],
      ['/api/mesh/nothing', 'not_found'],
    ] as const;
    for (const [path, error] of unknown) {
      const { status, body, headers } = await get(path);
      expect([status, body.error], path).to.eql([404, error]);
      expect(body.detail, path).to.be.a('string');
      expect(headers['content-type']).to.match(/^application\/json/);
    }
  });
});
