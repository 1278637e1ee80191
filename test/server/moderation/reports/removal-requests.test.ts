import { expect } from 'chai';
import {
  type RemovalRequest,
  signRemovalRequest,
} from '../../../../protocol/removal-request.js';
import { Report } from '../../../../server/db/entities/report.js';
import {
  currentPair,
  newAgent,
  publishSigned,
  register,
} from '../../../support/agent.js';
import type { TestBoard } from '../../../support/board.js';
import { decideTo } from '../../../support/decide.js';
import { boardForAllTests } from '../../../support/hooks.js';
import { LIFTED } from '../../../support/lifted.js';
import { publish } from '../../../support/post.js';
import { report, send } from './reporting.js';

const PLENTY = 1_000_000;

describe('what the board finds out about a report', () => {
  let test: TestBoard;
  let agent: Awaited<ReturnType<typeof register>>;
  let id: number;
  let hash: Buffer;
  let stranger: ReturnType<typeof newAgent>;

  boardForAllTests(
    {
      limits: {
        ...LIFTED,
        reports_per_network_10_minutes: PLENTY,
        reports_per_network_day: PLENTY,
      },
    },
    async (made) => {
      test = made;
      await publish(test);
      agent = await register(test);
      stranger = newAgent();
      const receipt = await publishSigned(test, agent);
      id = receipt.message.id;
      hash = Buffer.from(receipt.message_hash, 'base64');
    },
  );

  const request = (more: Partial<RemovalRequest> = {}): RemovalRequest => ({
    board: 'board.test',
    message: hash,
    at: test.clock.now(),
    ...more,
  });

  const isVerified = async (requestId: string) => {
    const { manager } = test.board.context.reads;
    const row = await manager.findOneByOrFail(Report, { requestId });
    return row.authorVerified;
  };

  it('takes every reason that a decision can have', async () => {
    for (const reason of ['privacy', 'legal', 'author_request']) {
      await send(test, report({ reason })).expect(201);
    }
  });

  it('verifies the removal request of the author, also after other words', async () => {
    for (const words of ['', 'Please remove this.\n\n']) {
      const note = signRemovalRequest(request(), agent.id, currentPair(agent));
      const sent = report({
        message_id: id,
        reason: 'author_request',
        detail: `${words}${note}`,
      });
      const { body } = await send(test, sent).expect(201);
      expect(body.note).to.match(/^Verified/);
      expect(await isVerified(body.request_id)).to.equal(true);
      const again = await send(test, sent).expect(200);
      expect(again.body).to.deep.equal(body);
      const state = await test.as().get(`/api/reports/${body.request_id}`);
      expect(state.body.note).to.equal(body.note);
    }
  });

  for (const [name, words, note] of [
    ['another board', 'another board', () => by(request({ board: 'b.test' }))],
    [
      'another message',
      'message_hash',
      () => by(request({ message: Buffer.alloc(32) })),
    ],
    [
      'another day',
      'its time',
      () => by(request({ at: test.clock.now() - 900_001 })),
    ],
    [
      'another key',
      'no note',
      () => signRemovalRequest(request(), stranger.id, currentPair(stranger)),
    ],
    [
      'the key of another under the name of the author',
      'no note',
      () => signRemovalRequest(request(), agent.id, currentPair(stranger)),
    ],
    [
      'a changed text',
      'no note',
      () => by(request()).replace('board board.test', 'board board.tast'),
    ],
    ['no signature', 'no note', () => by(request()).split('\n\n')[0] ?? ''],
  ] as [string, string, () => string][]) {
    it(`takes a request for ${name}, unverified, and says why`, async () => {
      const { body } = await send(
        test,
        report({ message_id: id, reason: 'author_request', detail: note() }),
      ).expect(201);
      expect(body.note).to.include('not verified').and.to.include(words);
      expect(await isVerified(body.request_id)).to.equal(false);
    });
  }

  const by = (it: RemovalRequest) =>
    signRemovalRequest(it, agent.id, currentPair(agent));

  it('says that nobody signed the message', async () => {
    const detail = by(request());
    const { body } = await send(test, report({ detail })).expect(201);
    expect(body.note).to.include('unsigned');
  });

  it('says of an appeal that there is no decision to reverse, until there is one', async () => {
    const appeal = () => send(test, report({ kind: 'appeal', message_id: id }));
    const first = await appeal().expect(201);
    expect(first.body.note).to.include('neither hidden nor decided about');
    await decideTo.remove(test, id);
    const second = await appeal().expect(201);
    expect(second.body).not.to.have.property('note');
  });
});
