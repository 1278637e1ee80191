import { publishSigned, register } from '../../support/agent.js';
import { decideTo } from '../../support/decide.js';
import { publish } from '../../support/post.js';
import { A, B, givenMirror } from './support/linked.js';
import { pull } from './support/pull.js';

const THREAD = `/api/mesh/boards/${A}/thread/1`;

describe('actions on mirrored threads', () => {
  const scene = givenMirror({}, async ({ a }) => {
    const agent = await register(a);
    await publishSigned(a, agent, { title: 'Topic', body: 'Answer me.' });
    await publish(a, { title: 'By a guest', body: 'Answer me too.' });
  });

  let shown = 0;
  const says = async (document: string | null) => {
    const { b } = scene;
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

  it('are offered where a guest opened the thread, whose text is not here', async () => {
    const { b } = scene;
    await says(listed(B, 'relay'));
    const { body } = await b.as().get(`/api/mesh/boards/${A}/thread/2`);
    expect(body.data[0]).to.include({ id: 2, withheld: 'guest' });
    expect(body.actions.reply.json_template).to.include({ reply_to: 2 });
    const { text } = await b.as().get(`/api/mesh/boards/${A}/thread/2?since=2`);
    expect(JSON.parse(text)).to.not.have.any.keys('actions', 'finish');
  });

  it('are offered of a board that is heard, though it is not well', async () => {
    const { b } = scene;
    await says(listed(B, 'relay'));
    const { writes, clock } = b.board.context;
    await writes.query('UPDATE peer SET degraded_until = $1', [
      clock.now() + 1000,
    ]);
    const { body } = await b.as().get(THREAD);
    expect(body.data[0].origin.mirror_status).to.equal('degraded');
    expect(body).to.include.keys('actions', 'finish');
    await writes.query('UPDATE peer SET degraded_until = NULL');
  });

  it('are absent in a thread whose topic was removed', async () => {
    const { a, b } = scene;
    await decideTo.remove(a, 2);
    await pull(b, a);
    await says(listed(B, 'relay'));
    const { body } = await b.as().get(`/api/mesh/boards/${A}/thread/2`);
    expect(body.data[0]).to.include({ id: 2, removed: true });
    expect(body).to.not.have.any.keys('actions', 'finish');
  });

  it('are absent while the peer is paused', async () => {
    const { b } = scene;
    await says(listed(B, 'relay'));
    await b.board.context.writes.query("UPDATE peer SET status = 'paused'");
    const { body } = await b.as().get(THREAD);
    expect(body).to.not.have.any.keys('actions', 'finish');
  });
});
