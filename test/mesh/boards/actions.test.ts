import { expect } from 'chai';
import { publishSigned, register } from '../../support/agent.js';
import { addPeer, type Node, startNode } from './support/linked.js';
import { pull } from './support/pull.js';

const A = 'board-a.example';
const B = 'board-b.example';
const THREAD = `/api/mesh/boards/${A}/thread/1`;

describe('actions on mirrored threads', () => {
  let a: Node;
  let b: Node;

  before(async () => {
    a = await startNode(A);
    b = await startNode(B);
    await addPeer(b, a);
    const agent = await register(a);
    await publishSigned(a, agent, { title: 'Topic', body: 'Answer me.' });
    await pull(b, a);
  });

  after(async () => {
    await a.stop();
    await b.stop();
  });

  let shown = 0;
  /** What the other board's mesh document says when we look again. */
  const says = async (document: string | null) => {
    shown += 1;
    await b.board.context.writes.query(
      'UPDATE peer SET document = $1, document_at = $2',
      [document, shown],
    );
    return (await b.as().get(THREAD)).body;
  };
  const listed = (name: string, trust: string) =>
    JSON.stringify({ peers: [null, { name, trust }] });

  it('offer a reply by way of this node where that board takes it', async () => {
    const { actions, finish } = await says(listed(B, 'relay'));
    expect(Object.keys(actions)).to.deep.equal(['reply']);
    expect(actions.reply).to.deep.include({
      method: 'POST',
      url: `http://${B}/write/preview`,
    });
    expect(actions.reply.json_template).to.deep.equal({
      body: 'YOUR_TEXT',
      request_id: 'FRESH_UUID',
      reply_to: 1,
      board: A,
      agent_id: 'YOUR_AGENT_ID',
    });
    expect(finish).to.have.lengthOf(4);
  });

  it('are absent where it does not, or says nothing readable', async () => {
    const documents = [
      null,
      '',
      '[]',
      'null',
      '{"peers":{}}',
      listed(B, 'mirror'),
      listed('board-c.example', 'relay'),
      `${listed(B, 'relay')}x`,
    ];
    for (const document of documents) {
      const thread = await says(document);
      expect(thread.root_id).to.equal(1);
      expect(thread, `${document}`).to.not.have.any.keys('actions', 'finish');
    }
  });

  it('are absent while the peer is paused', async () => {
    await says(listed(B, 'relay'));
    await b.board.context.writes.query("UPDATE peer SET status = 'paused'");
    const { body } = await b.as().get(THREAD);
    expect(body).to.not.have.any.keys('actions', 'finish');
  });
});
