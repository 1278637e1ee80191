import { cosign, signCheckpoint } from '../../../protocol/checkpoint.js';
import { signatureLine } from '../../../protocol/note.js';
import { verifyProof } from '../../../protocol/proof.js';
import { Peer } from '../../../server/db/entities/peer.js';
import { openAlerts } from '../../../server/operations/alerts.js';
import { pruneCheckpoints } from '../../../server/operations/jobs/prune-checkpoints.js';
import { taken } from '../../protocol/support/vectors.js';
import { publishSigned, register } from '../../support/agent.js';
import type { TestBoard } from '../../support/board.js';
import { checkLedger } from '../../support/check-ledger.js';
import { given } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { rows } from '../../support/rows.js';
import { until } from '../../support/until.js';
import {
  befriend,
  nodeOnPort,
  threeNodes,
  twoNodes,
} from '../peers/node-on-port.js';
import { withoutAnchors } from '../support/without-anchors.js';

type Lines = { body: string; log: string; cosignature: string };

describe('cosignatures', () => {
  const { a, b, c } = given(threeNodes);

  before(async () => {
    await withoutAnchors(a);
    for (const [of, peer] of [
      [a, b],
      [a, c],
      [b, a],
      [c, a],
    ] as const) {
      await befriend(of, peer);
    }
  });

  async function sizeOf(test: TestBoard): Promise<number> {
    const { text } = await test.as().get('/log/checkpoint');
    return Number(text.split('\n')[1]);
  }

  async function acked(name: string): Promise<number> {
    const { body } = await a.as().get('/api/mesh');
    return body.peers.find((peer: { name: string }) => peer.name === name)
      .acked_size;
  }

  async function bothAcked(): Promise<void> {
    const size = await sizeOf(a);
    for (const test of [b, c]) {
      const { name } = test.board.context.board;
      await until(
        `${name} acknowledged`,
        async () => (await acked(name)) >= size,
      );
    }
  }

  function linesOf(checkpoint: string, by: TestBoard): Lines {
    const [body = '', lines = ''] = checkpoint.split('\n\n');
    const [log = ''] = lines.split(/(?<=\n)/);
    const key = by.board.context.keys.mirror;
    const line = cosign(`${body}\n`, 1_768_478_400, key);
    return { body: `${body}\n`, log, cosignature: signatureLine(line) };
  }

  const send = (lines: object) => a.as().post('/api/mesh/cosign').send(lines);

  it('reach the board, its document and its proofs', async () => {
    const agent = await register(a);
    const { message } = await publishSigned(a, agent, { body: 'Mirrored.' });
    await bothAcked();
    const { body } = await a.as().get(`/api/messages/${message.id}/proof`);
    const boards = [b, c].map(({ board }) => board.context.board.name).sort();
    expect(
      body.cosigners.map((one: { board: string }) => one.board),
    ).to.have.members(boards);
    const keys = [b, c].map(({ board }) => board.context.keys.mirror.vkey);
    const { vkey } = a.board.context.keys.log;
    const proven = taken(verifyProof(body, vkey, keys));
    expect(proven.cosigners).to.have.length(2);
    const { body: mesh } = await a.as().get('/api/mesh');
    expect(mesh.log.checkpoint.match(/\/mirror /g)).to.have.length(2);
    const { text } = await a.as().get('/log/checkpoint');
    expect(text).to.equal(mesh.log.checkpoint);
  });

  it('stay on an older head that more peers signed', async () => {
    const agent = await register(a);
    const { message } = await publishSigned(a, agent, {
      body: 'Signed by both.',
    });
    await bothAcked();
    const both = await sizeOf(a);
    await c.board.peerAdmin.pause(a.url);
    await publish(a, { body: 'Signed by one.' });
    const size = await sizeOf(a);
    const { name } = b.board.context.board;
    await until('B acknowledged', async () => (await acked(name)) === size);
    const { body } = await a.as().get(`/api/messages/${message.id}/proof`);
    expect(Number(body.checkpoint.split('\n')[1])).to.equal(both);
    await a.board.peerAdmin.pause(c.url);
    const { body: fewer } = await a.get(`/api/messages/${message.id}/proof`);
    expect(Number(fewer.checkpoint.split('\n')[1])).to.equal(size);
    await a.board.peerAdmin.resume(c.url);
    await c.board.peerAdmin.resume(a.url);
    await bothAcked();
  });

  it('keep their checkpoints from being pruned', async () => {
    const { writes } = a.board.context;
    const query = `SELECT count(*) AS n FROM log_checkpoint k JOIN log_cosignature c
      ON c.origin_id = k.origin_id AND c.size = k.size WHERE k.origin_id = 0`;
    const before = await writes.query(query);
    await pruneCheckpoints({ writes }, new AbortController().signal, 1);
    expect(await writes.query(query)).to.deep.equal(before);
  });

  it('are taken again and again', async () => {
    const { text } = await a.as().get('/log/checkpoint');
    const lines = linesOf(text, b);
    for (let time = 0; time < 2; time += 1) {
      const answer = await send(lines).expect(204);
      expect(answer.text).to.equal('');
    }
  });

  it('are refused from strangers, with bad lines and for unknown sizes', async () => {
    const { text } = await a.as().get('/log/checkpoint');
    const good = linesOf(text, b);
    const stranger = await nodeOnPort();
    const cases: [object, number, string][] = [
      [linesOf(text, stranger), 403, 'peer_not_allowed'],
      [{ ...good, log: good.cosignature }, 403, 'signature_invalid'],
      [{ ...good, cosignature: linesOf(text, c).log }, 403, 'peer_not_allowed'],
      [
        {
          ...good,
          cosignature: good.cosignature.replace(/.{8}\n$/, 'AAAAAAA=\n'),
        },
        403,
        'signature_invalid',
      ],
      [{ ...good, cosignature: 'x' }, 403, 'signature_invalid'],
      [
        { ...good, body: good.body.replace(/\n\d+\n/, '\n999999\n') },
        404,
        'not_found',
      ],
      [{ ...good, body: 'x\n' }, 400, 'bad_note'],
      [
        { ...good, body: good.body.replace('/log', '/log2') },
        404,
        'unknown_origin',
      ],
    ];
    for (const [lines, status, error] of cases) {
      const answer = await send(lines);
      expect([answer.status, answer.body.error]).to.deep.equal([status, error]);
    }
    await stranger.stop();
  });

  /** A head that only the board's own key can have signed, and that it has not. */
  async function refusesHeadOf(size: number): Promise<void> {
    const { board, keys } = a.board.context;
    const root = new Uint8Array(32).fill(7);
    const note = signCheckpoint({ origin: board.origin, size, root }, keys.log);
    const { status, body } = await send(linesOf(note, b));
    expect([status, body.error]).to.deep.equal([404, 'not_found']);
  }

  it('raise the alarm over a head that only our key can have signed', async () => {
    await refusesHeadOf(1_000_000);
    const alarms = await openAlerts(a.board.context.reads);
    expect(alarms.map(({ kind }) => kind)).to.include('own_key_compromise');
  });

  it('are refused over another head of a size that is stored', async () => {
    await refusesHeadOf(await sizeOf(a));
  });

  it('leave every log whole', async () => {
    for (const test of [a, b, c]) await checkLedger(test);
  });
});

describe('hints', () => {
  const { a, b } = given(twoNodes());
  const set = (retryAt: number) => rows(a).updateAll(Peer, { retryAt });
  const retryAt = async () => (await rows(a).findOneByOrFail(Peer, {})).retryAt;

  before(() => befriend(a, b));

  const hint = (body: object) => a.as().post('/api/mesh/hint').send(body);

  it('end the back-off from a peer, once in 30 seconds', async () => {
    const { origin } = b.board.context.board;
    await b.stop();
    const backedOff = async () => (await retryAt()) !== null;
    await until('a back-off', backedOff);
    await set(9_999_999_999_999);
    const answer = await hint({ origin, size: 1000 });
    expect([answer.status, answer.body]).to.deep.equal([
      202,
      { status: 'noted' },
    ]);
    expect(await retryAt()).not.to.equal(9_999_999_999_999);
    await until('another try', backedOff);
    await set(9_999_999_999_999);
    await hint({ origin, size: 1000 });
    expect(await retryAt()).to.equal(9_999_999_999_999);
  });

  it('name a known origin and nothing else', async () => {
    const cases: [object, number, string][] = [
      [{ origin: 'x.example/log', size: 1 }, 404, 'unknown_origin'],
      [
        { origin: a.board.context.board.origin, size: 1 },
        404,
        'unknown_origin',
      ],
    ];
    for (const [body, status, error] of cases) {
      const answer = await hint(body);
      expect([answer.status, answer.body.error]).to.deep.equal([status, error]);
    }
  });
});
