import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import {
  type Agent,
  agentFromSeed,
  BoardRefusal,
  ClientRefusal,
  StillPending,
} from '../../../client/board-client.js';
import { asFailure } from '../../../client/cli/asking.js';
import { asking, failure } from '../../client/support/asking.js';
import { command } from '../../server/cli/command.js';
import {
  newAgent,
  pairOf,
  record,
  register,
  type Agent as TestAgent,
} from '../../support/agent.js';
import { publish } from '../../support/post.js';
import {
  A,
  type Linked,
  linkedBoards,
  mirror,
  movePeer,
} from './linked-boards.js';

const TOPIC = { title: 'A topic', body: 'Its text.' };

describe('a client that posts through another node', () => {
  let boards: Linked;
  let keys: TestAgent;
  let agent: Agent;

  beforeEach(async () => {
    boards = await linkedBoards();
    keys = await register(boards.b);
    agent = await agentFromSeed(
      keys.id,
      pairOf(keys, 0).secretKey.slice(0, 32),
    );
  });

  afterEach(() => boards.stop());

  it('signs for the other board and returns its receipt', async () => {
    const { a, b } = boards;
    const { client } = asking(b, { agent });
    const receipt = await client.post({ ...TOPIC, board: A });
    expect(receipt.status).to.equal('published');
    expect(receipt.url).to.match(/^http:\/\/board-a\.example\//);
    await mirror(b, a);
    const reply = await client.reply(receipt.message.id, {
      body: 'A reply.',
      board: A,
    });
    expect(reply.message.root_id).to.equal(receipt.message.root_id);
    const again = await client.post({
      ...TOPIC,
      board: A,
      request_id: receipt.message.request_id,
    });
    expect(again.status).to.equal('already_published');
    expect(again.message).to.deep.equal(receipt.message);
  });

  it('follows what is pending to its end', async () => {
    const { a, b, clock } = boards;
    await movePeer(b, A, 'http://127.0.0.1:9');
    const { outbox } = b.board.background.peers.relay;
    let waits = 0;
    const { client } = asking(b, {
      agent,
      onWait: (_ms, why) => {
        expect(why).to.be.instanceOf(StillPending);
        waits += 1;
        void movePeer(b, A, a.url)
          .then(() => clock.advance(2000))
          .then(() => outbox.runOnce());
      },
    });
    const receipt = await client.post({ ...TOPIC, board: A });
    expect(waits).to.equal(1);
    const read = await a.as().get(`/api/messages/${receipt.message.id}`);
    expect(read.body.title).to.equal(TOPIC.title);
  });

  it('says what is still pending when patience ends', async () => {
    const { b } = boards;
    await movePeer(b, A, 'http://127.0.0.1:9');
    const { client } = asking(b, { agent, patienceMs: 1000 });
    const post = client.post({ ...TOPIC, board: A });
    const error = await failure(post, StillPending);
    expect(error.requestId).to.match(/^[0-9a-f-]{36}$/);
    expect(error.board).to.equal(A);
  });

  it('ends at once with what the other board refuses', async () => {
    const { a, b } = boards;
    await a.board.context.writes.query("UPDATE peer SET trust = 'mirror'");
    const { client } = asking(b, { agent });
    const post = client.post({ ...TOPIC, board: A });
    const error = await failure(post, BoardRefusal);
    expect(error.code).to.equal('origin_rejected');
    expect(error.body.origin_error).to.include({
      error: 'peer_not_allowed',
    });
    const { detail } = error.body.origin_error as { detail: string };
    const words = asFailure(error) as Error;
    expect(words.message).to.include(`peer_not_allowed: ${detail}`);
  });

  it('follows the other board’s funnel by itself', async () => {
    const { a, b } = boards;
    const root = await publish(a, { body: 'Black lives matter' });
    await mirror(b, a);
    const { client } = asking(b, { agent });
    const receipt = await client.post({
      title: 'A topic',
      body: 'black LIVES matter too',
      board: A,
    });
    expect(receipt.message.root_id).to.equal(root.message.id);
  });

  it('signs nothing for a board it did not name', async () => {
    const { b } = boards;
    const { client } = asking(b, { agent, boardName: 'board-b.example' });
    const wrong = asking(b, { agent, boardName: 'board-x.example' });
    const error = await failure(wrong.client.post(TOPIC), ClientRefusal);
    expect(error.reason).to.equal('statement_mismatch');
    const fine = await client.post({ ...TOPIC, board: A });
    expect(fine.status).to.equal('published');
  });

  it('does it from the command line, by --via and by --for-board', async () => {
    await boards.stop();
    // The commands come straight from the loopback, by their own clock.
    boards = await linkedBoards({ envB: { TRUST_PROXY: '192.0.2.0/24' } });
    const { a, b, clock } = boards;
    clock.set(Date.now());
    const one = newAgent({ rotatable: false });
    await record(b, one.notes[0] ?? '');
    const folder = await mkdtemp(path.join(tmpdir(), 'relay-'));
    try {
      const seed = Buffer.from(pairOf(one, 0).secretKey.slice(0, 32));
      const env = { RESERVE_BOARD_KEY: `${one.id}:${seed.toString('hex')}` };
      const body = path.join(folder, 'body.txt');
      await writeFile(body, 'From a shell.');
      const post = ['post', '--title', 'Shell', '--body-file', body, '--json'];
      const named = await command(
        [...post, '--board', b.url, '--for-board', A],
        env,
      );
      expect(named.code, named.stderr).to.equal(0);
      const { message } = JSON.parse(named.stdout);
      await mirror(b, a);
      const via = await command(
        [
          ...['reply', String(message.id), '--body-file', body, '--json'],
          ...['--board', `http://${A}`, '--via', b.url],
        ],
        env,
      );
      expect(via.code, via.stderr).to.equal(0);
      const replied = JSON.parse(via.stdout);
      expect(replied.message.root_id).to.equal(message.id);
      const guest = await command([
        ...post,
        '--board',
        b.url,
        '--for-board',
        A,
      ]);
      expect(guest.code).to.equal(1);
      const both = await command(
        [...post, '--board', b.url, '--for-board', A, '--via', b.url],
        env,
      );
      expect(both.code).to.equal(1);
      await movePeer(b, A, 'http://127.0.0.1:9');
      const pending = await command(
        [...post, '--board', b.url, '--for-board', A, '--patience', '1'],
        env,
      );
      expect(pending.code).to.equal(1);
      expect(pending.stderr + pending.stdout).to.include('--request-id');
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
