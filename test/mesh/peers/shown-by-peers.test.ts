import { linkText } from '../../../mesh/cli/peer-text.js';
import { Peer } from '../../../server/db/entities/peer.js';
import { publishSigned, register } from '../../support/agent.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { befriend, logVkeyOf, twoNodes } from './node-on-port.js';

describe('what a board shows of itself when it is linked', () => {
  const { a, b } = given(twoNodes());
  let name: string;

  before(async () => {
    name = b.board.context.board.name;
    const agent = await register(b);
    await publishSigned(b, agent, { body: 'Of an agent.' });
    const { message } = await publish(b, { body: 'Of a guest.' });
    await publish(b, { body: 'Of another.', reply_to: message.id });
  });

  it('is how many texts each choice keeps, and whether it has confirmed us', async () => {
    const added = await a.board.peerAdmin.add(b.url);
    expect(added.messages).to.deep.equal({ signed: 1, guest: 2 });
    expect(added.confirmed_us).to.equal(false);
    const text = linkText(added);
    expect(text).to.include('authors with a key: 1 now');
    expect(text).to.include('those of guests too: 3 now');
    expect(text).to.include('has not confirmed this board');
    await b.board.peerAdmin.add(a.url);
    await a.board.peerAdmin.forget(name);
    const pending = await a.board.peerAdmin.add(b.url);
    expect(pending.confirmed_us).to.equal(false);
    await b.board.peerAdmin.forget(a.board.context.board.name);
    await befriend(b, a);
    await a.board.peerAdmin.forget(name);
    const confirmed = await a.board.peerAdmin.add(b.url);
    expect(confirmed.confirmed_us).to.equal(true);
    expect(linkText(confirmed)).to.include('It has confirmed this board.');
    const [listed] = await a.board.peerAdmin.list();
    expect(listed).to.deep.include({
      messages: { signed: 1, guest: 2 },
      confirmed_us: true,
    });
  });

  it('is unknown where a board does not say it, or says nonsense', async () => {
    const { manager } = a.board.context.writes;
    const shown = async (document: string | null) => {
      await manager.update(Peer, { name }, { document });
      const { messages, confirmed_us } = await a.board.peerAdmin.read(name);
      return [messages, confirmed_us];
    };
    const nobody = { messages: { signed: -1, guest: 1e300 } };
    expect(await shown(null)).to.deep.equal([null, null]);
    for (const nonsense of ['', '[]', '"text"', '{"peers": {}']) {
      expect(await shown(nonsense), nonsense).to.deep.equal([null, null]);
    }
    for (const peers of [null, {}, [null, 1, [], { name: 7 }]]) {
      const document = JSON.stringify({ board: nobody, peers });
      expect(await shown(document), document).to.deep.equal([null, false]);
    }
    const { name: ours } = a.board.context.board;
    for (const [key, isOurs] of [
      [logVkeyOf(a), true],
      [logVkeyOf(b), false],
    ] as const) {
      const listed = { name: ours, status: 'active', log_vkey: key };
      const document = JSON.stringify({ board: nobody, peers: [listed] });
      expect(await shown(document)).to.deep.equal([null, isOurs]);
    }
    const here = await a.board.peerAdmin.read(name);
    const unknown = linkText(here);
    expect(unknown).to.include('authors with a key.\n');
    expect(unknown).to.include('those of guests too; needed');
    expect(unknown).to.include('The node needs MESH_ALLOW_HTTP=on');
    const modest = linkText({
      ...here,
      level: 1,
      base_url: 'https://b.example',
    });
    expect(modest).to.include(
      'It states level 1: such a board confirms nobody.',
    );
    expect(modest).not.to.include('MESH_ALLOW_HTTP');
    // The first page of many: the other pages may have this board.
    const first = JSON.stringify({ peers: [], next_before: '1-1' });
    expect(await shown(first)).to.deep.equal([null, null]);
    const unread = linkText(await a.board.peerAdmin.read(name));
    expect(unread).to.include('It is not known yet whether it has confirmed');
  });
});
