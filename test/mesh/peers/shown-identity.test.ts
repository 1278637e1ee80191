import { noticeShownIdentity } from '../../../mesh/peers/adopt-identity.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { ScriptedLog } from '../support/scripted-log.js';
import { confirmed } from '../support/two-boards.js';

const HOME = 'https://a.example';

describe('an identity that names an address', () => {
  const node = givenBoard(); // only https, and only public addresses
  let count = 0;

  async function showing(url: string, home = HOME) {
    count += 1;
    const log = new ScriptedLog(`board-${count}.example`, 5);
    const { board: name, origin, keys } = log;
    const identity = log.identity(home);
    const facts = { name, origin, url: home, identity, keys };
    const options = { status: 'paused' } as const;
    const originId = await confirmed(node, facts, 'mirror', options);
    const changed = log.identity(url, 1);
    await noticeShownIdentity(node.board.context, originId, changed);
    const peer = await node.board.peerAdmin.read(name);
    return { ...peer, adopted: peer.identity === changed };
  }

  for (const [url, home] of [
    [HOME],
    [`${HOME}:443`],
    [HOME, `${HOME}:443`],
    ['http://a.example:80', 'http://a.example'],
    ['https://xn--bcher-kva.example:443', 'https://xn--bcher-kva.example'],
  ] as const) {
    it(`is taken as the same: ${url} at ${home ?? HOME}`, async () => {
      const { adopted, base_url, pending_address } = await showing(url, home);
      expect({ adopted, pending_address }).to.deep.equal({
        adopted: true,
        pending_address: null,
      });
      expect(base_url).to.equal((home ?? HOME).replace(/:(443|80)$/, ''));
    });
  }

  for (const [url, address = url] of [
    [`${HOME}:444`],
    [`${HOME}:80`],
    [`${HOME}:0`],
    ['http://a.example'],
    ['http://a.example:443'],
    ['https://b.a.example'],
    ['https://a.example.evil.example'],
    ['https://xn--80a.example'],
    ['https://127.0.0.1:443', 'https://127.0.0.1'],
  ] as const) {
    it(`waits for the operator: ${url}`, async () => {
      const { adopted, base_url, pending_address } = await showing(url);
      expect({ adopted, base_url, pending_address }).to.deep.equal({
        adopted: false,
        base_url: HOME,
        pending_address: address,
      });
    });
  }

  for (const url of [
    'https://A.example',
    'https://a.example.',
    'https://a.example:65536',
    'https://a.example:99999',
    'https://a.example:0443',
    'https://user@a.example',
    'https://a.example/path',
    'https://bücher.example',
    'https://xn--a.example',
    'https://[::1]:443',
    'https://127.1',
    'https://1.2.3.256',
  ]) {
    it(`is no identity: ${url}`, async () => {
      const { adopted, base_url, pending_identity } = await showing(url);
      expect({ adopted, base_url, pending_identity }).to.deep.equal({
        adopted: false,
        base_url: HOME,
        pending_identity: null,
      });
    });
  }

  it('is not confirmed where this node asks nobody', async () => {
    for (const url of ['http://a.example', 'https://127.0.0.1', `${HOME}:0`]) {
      const { name, log_vkey: key } = await showing(url);
      const seen = { address: url };
      const refused = await node.board.peerAdmin
        .confirm(name, key, seen)
        .catch((error: { code?: string; detail?: string }) => error);
      expect(refused).to.include({ code: 'invalid_input' });
      const { base_url, pending_address } =
        await node.board.peerAdmin.read(name);
      expect([base_url, pending_address]).to.deep.equal([HOME, url]);
    }
  });
});

describe('the tag of /api/mesh', () => {
  const test = givenBoard({ env: { ROLES: 'api' } });

  it('holds while only the time goes on, and not when the log grows', async () => {
    const { headers, body } = await test.as().get('/api/mesh').expect(200);
    expect(headers.etag).to.match(/^W\/"/);
    test.clock.advance(5000);
    const ask = () =>
      test.get('/api/mesh').set('If-None-Match', headers.etag ?? '');
    expect((await ask()).status).to.equal(304);
    const later = await test.as().get('/api/mesh');
    expect(later.headers.etag).to.equal(headers.etag);
    expect(later.body.generated_at).not.to.equal(body.generated_at);
    await publish(test);
    const grown = await ask().expect(200);
    expect(grown.headers.etag).not.to.equal(headers.etag);
  });
});
