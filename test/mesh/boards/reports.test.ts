// One file though it is long: a report on its whole way over two boards.
import { openNote } from '../../../protocol/note.js';
import {
  removalRequestIn,
  signRemovalRequest,
} from '../../../protocol/removal-request.js';
import { Message } from '../../../server/db/entities/message.js';
import { MirrorMessage } from '../../../server/db/entities/mirror-message.js';
import { OperatorAudit } from '../../../server/db/entities/operator-session.js';
import { Peer } from '../../../server/db/entities/peer.js';
import { Report } from '../../../server/db/entities/report.js';
import { done, operator } from '../../admin/operators.js';
import {
  report as ownReport,
  send,
} from '../../server/moderation/reports/reporting.js';
import { linksOf, mainOf, page, wordsOf } from '../../server/site/page.js';
import { type Agent, publishSigned, register } from '../../support/agent.js';
import { BASE_URL } from '../../support/board.js';
import { decideTo } from '../../support/decide.js';
import { given } from '../../support/hooks.js';
import { withLimits } from '../../support/limits.js';
import { type Post, publish } from '../../support/post.js';
import { freshNetwork, randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { A, linkedBoards } from '../relay/linked-boards.js';
import { pull } from './support/pull.js';

type Seen = Record<string, unknown>;
type Item = { message: Seen; reports: { detail: string }[]; passed: Seen[] };
type Queue = { data: Record<string, unknown>[]; totals: { mirrored?: number } };

/** Only our operators may read it. */
const HOSTILE = '</textarea><script>alert(1)</script> \u202e{{x}} secret';

describe('Reports about mirrored messages', () => {
  const { a, b, moderator, viewer } = given(async () => {
    const boards = await linkedBoards({ envB: { BASE_URL } });
    return {
      ...boards,
      moderator: await operator(boards.b, 'moderator'),
      viewer: await operator(boards.b, 'viewer'),
    };
  });
  let agent: Agent;
  let id = 0;
  const subject = () => `mirrored:${id}@${A}`;

  async function topic(of: Post) {
    id = (await publishSigned(a, agent, of)).message.id;
    await pull(b, a);
  }

  before(async () => {
    agent = await register(a);
  });
  beforeEach(() => topic({ title: 'Odd <title>', body: 'Odd words.' }));

  const report = (more: object = {}) =>
    ownReport({ message_id: id, board: A, ...more });
  const taken = async (more: object = {}) => {
    const answer = await send(b, report(more), freshNetwork());
    expect(answer.status, answer.text).to.equal(201);
    return answer.body as Record<string, string>;
  };
  const row = async (): Promise<Record<string, unknown> | undefined> => {
    const { data } = await done<Queue>(viewer.ask('queue.list', {}));
    return data.find((it) => it.subject === subject());
  };
  const item = (by = moderator) =>
    done<Item>(by.ask('item.read', { subject: subject() }));

  it('are received, repeated and read by their UUID', async () => {
    const body = report({ detail: HOSTILE });
    const from = freshNetwork();
    const first = await send(b, body, from).expect(201);
    expect(first.body).to.include({ message_id: id, board: A });
    const again = await send(b, body, from).expect(200);
    expect(again.body).to.deep.equal(first.body);
    const { request_id: uuid } = first.body;
    const { body: state, text } = await b.as().get(`/api/reports/${uuid}`);
    expect(state).to.deep.equal(first.body);
    expect(text).not.to.contain('secret');
    const { board: _, ...own } = body;
    expect((await send(b, own, from)).body.error).to.equal(
      'request_id_conflict',
    );
  });

  it('name a board that is mirrored and a message that it has', async () => {
    const cases: [object, string][] = [
      [{ board: 'nobody.example' }, 'unknown_board'],
      [{ board: '"><script>' }, 'unknown_board'],
      [{ board: 'a\u0000b' }, 'invalid_unicode'],
      [{ board: '' }, 'unknown_board'],
      [{ message_id: 999_999 }, 'message_not_found'],
      [{ message_id: undefined }, 'invalid_input'],
      [
        { kind: 'selection_error', message_id: undefined, card_id: '1-1' },
        'invalid_input',
      ],
    ];
    for (const [more, error] of cases) {
      const answer = await send(b, report(more), freshNetwork());
      expect(answer.body.error, JSON.stringify(more)).to.equal(error);
    }
    const own = (await publish(b)).message.id;
    const { name } = b.board.context.board;
    const receipt = await taken({ board: name, message_id: own });
    expect(receipt).not.to.have.property('board');
    await page(b, `/report?board=nobody.example&message=${id}`, 404);
  });

  it('have a form that every mirrored message leads to', async () => {
    const thread = await mainOf(b, `/mesh/${A}/t/${id}`);
    const form = `/report?board=${A}&message=${id}`;
    expect(linksOf(thread)).to.include(form);
    const words = wordsOf((await page(b, form)).text);
    for (const part of ['Odd <title>', 'Odd words.', A]) {
      expect(words).to.contain(part);
    }
    const request_id = randomUUID();
    const fields = { request_id, kind: 'report', reason: 'spam', board: A };
    const sent = await b
      .as(freshNetwork())
      .post('/report')
      .set({ Accept: 'text/html', Origin: BASE_URL })
      .type('form')
      .send({ ...fields, message_id: String(id), detail: HOSTILE });
    expect(sent.status, sent.text).to.equal(201);
    expect(linksOf(sent.text)).to.include(`/mesh/${A}/t/${id}`);
    const state = await mainOf(b, `/report/${request_id}`);
    expect(wordsOf(state)).to.contain(`message #${id} of ${A}`);
    expect(state).not.to.contain('secret');
  });

  it('wait for our operators, who answer and dismiss them', async () => {
    const { request_id: uuid = '' } = await taken({ detail: HOSTILE });
    await taken({ kind: 'appeal', reason: 'other' });
    expect(await row()).to.deep.include({
      ...{ kind: 'mirrored', message_id: id, reports: 2, appeals: 1 },
      ...{ title: 'Odd <title>', excerpt: 'Odd words.', state: 'visible' },
      last_decision_id: null,
    });
    const seen = await item();
    expect(seen).to.include({ subject: subject(), board: A });
    expect(seen.message).to.include({ id, body: 'Odd words.' });
    expect(seen.reports.map(({ detail }) => detail)).to.include(HOSTILE);
    expect((await item(viewer)).reports[0]?.detail).to.equal(null);
    await done(moderator.ask('subject.claim', { subject: subject() }));
    await done(moderator.ask('subject.open', { subject: subject() }));
    const { data } = await done<{ data: { request_id: string }[] }>(
      moderator.ask('report.list', { subject: subject() }),
    );
    expect(await row()).to.have.nested.property('claim.mine', false);
    const report_ids = data.map((it) => it.request_id);
    expect(report_ids).to.have.lengthOf(2);
    const answer = 'It is well here.';
    await done(
      moderator.ask('report.settle', { report_ids, as: 'dismissed', answer }),
    );
    expect(await row()).to.equal(undefined);
    expect((await item()).message).to.include({ id });
    const { body } = await b.as().get(`/api/reports/${uuid}`);
    expect(body).to.include({ status: 'dismissed', answer });
    // An appeal opens the settled ones again.
    await taken({ kind: 'appeal', reason: 'other' });
    expect(await row()).to.include({ reports: 2, appeals: 1 });
  });

  it('are kept apart from own messages with the same ID', async () => {
    let own = 0;
    while (own < id) own = (await publish(b)).message.id;
    expect(own).to.equal(id);
    await taken();
    const { data } = await done<Queue>(viewer.ask('queue.list', {}));
    const subjects = data.map((it) => it.subject);
    expect(subjects).to.include(subject());
    expect(subjects).not.to.include(`message:${id}`);
    for (const of of ['mirrored:999999@board-a.example', 'mirrored:1@x.y']) {
      const missing = await viewer.ask('item.read', { subject: of });
      expect(missing.status, of).to.equal(404);
    }
  });

  for (const [what, change] of [
    ['removed', () => decideTo.remove(a, id)],
    [
      'withheld',
      () =>
        rows(b).update(
          MirrorMessage,
          { id },
          {
            ...{ status: 'withheld', title: null, body: null },
            ...{ author: null, salt: null },
          },
        ),
    ],
    [
      'hidden here',
      () => rows(b).update(MirrorMessage, { id }, { hiddenAt: 1 }),
    ],
  ] as const) {
    it(`are taken of ${what} messages, whose text is not shown`, async () => {
      await change();
      await pull(b, a);
      const { text } = await page(b, `/report?board=${A}&message=${id}`);
      expect(wordsOf(text)).to.contain('Message without its text');
      expect(text).not.to.contain('Odd words.');
      await taken();
      const state = what === 'withheld' ? 'visible' : undefined;
      const seen = await row();
      if (state === undefined) expect(seen?.state).not.to.equal('visible');
      else expect(seen).to.include({ state, title: null });
    });
  }

  describe('passed on', () => {
    const words = 'Please look: it is the same again.';
    const pass = (more: object = {}) =>
      moderator.ask('report.pass_on', {
        ...{ subject: subject(), reason: 'privacy', words, ...more },
      });
    const atHome = () => rows(a).findBy(Report, { messageId: id });
    const passed = async () => (await item()).passed;
    let own = '';

    beforeEach(async () => {
      own = (await taken({ detail: HOSTILE })).request_id ?? '';
    });

    it('are one report in our words, ended by a note of our node key', async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => done(pass())),
      );
      const [{ request_id: uuid } = {}] = answers;
      for (const one of [...answers, await done(pass())]) {
        expect(one).to.deep.equal({ request_id: uuid });
      }
      const [sent, ...more] = await atHome();
      expect(more).to.deep.equal([]);
      expect(sent).to.deep.include({
        ...{ requestId: uuid, kind: 'report', reason: 'privacy' },
        authorVerified: false,
        note: `Verified: the node key of ${b.board.context.board.name} signed this, so its operators passed it on.`,
      });
      expect(JSON.stringify(sent)).not.to.contain('secret');
      expect(JSON.stringify(sent)).not.to.contain(own);
      const detail = sent?.detail ?? '';
      expect(detail.startsWith(`${words}\n\n`)).to.equal(true);
      const { keys } = b.board.context;
      const opened = openNote(removalRequestIn(detail) ?? '', [keys.node.vkey]);
      if (!opened.ok) throw new Error(opened.reason);
      const { messageHash } = await rows(a).findOneByOrFail(Message, { id });
      const hash = messageHash.toString('base64');
      expect(opened.value.text).to.equal(
        `reserve-board/removal-request/v1\nboard ${A}\nmessage ${hash}\nat ${b.clock.now()}\n`,
      );
    });

    // Each test passes on with unspent reports of 10 minutes.
    beforeEach(() => a.clock.advance(600_000));

    it('are refused of a peer that their board has blocked', async () => {
      await rows(a).updateAll(Peer, { status: 'blocked' });
      const refused = await pass();
      await rows(a).updateAll(Peer, { status: 'active' });
      expect(refused.status, refused.text).to.equal(502);
      expect(refused.body.origin_error.error).to.equal('peer_not_allowed');
      expect(await atHome()).to.deep.equal([]);
      expect(await passed()).to.deep.equal([]);
      await done(pass());
    });

    it('are bounded for a peer that floods, and leave others their reports', async () => {
      const answers: Awaited<ReturnType<typeof pass>>[] = [];
      await withLimits(a, { reports_per_network_10_minutes: 5 }, async () => {
        for (let n = 0; n < 20; n++) {
          answers.push(await pass({ words: `Look, ${n}.` }));
        }
        const other = ownReport({ message_id: id });
        await send(a, other, freshNetwork()).expect(201);
      });
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((one) => one === 429)).to.have.lengthOf(15);
      expect(await passed()).to.have.lengthOf(5);
      expect(await atHome()).to.have.lengthOf(6);
    });

    it('are verified for that message, board and moment alone', async () => {
      const { keys } = b.board.context;
      const { messageHash: message } = await rows(a).findOneByOrFail(Message, {
        id,
      });
      const at = a.clock.now();
      for (const [more, note] of [
        [{}, /^Verified: the node key of /],
        [{ message: Buffer.alloc(32) }, /not verified.* message_hash/],
        [{ board: 'board-c.example' }, /not verified.* another board/],
        [{ at: at - 900_001 }, /not verified.* its time/],
        [{ at: at + 900_001 }, /not verified.* its time/],
      ] as const) {
        const request = { board: A, message, at, ...more };
        const signed = signRemovalRequest(request, keys.node);
        const sent = ownReport({
          message_id: id,
          detail: `Look.\n\n${signed}`,
        });
        const { body } = await send(a, sent, freshNetwork()).expect(201);
        expect(body.note, JSON.stringify(more)).to.match(note);
      }
    });

    it('are asked for by their UUID, once in ten minutes, or in one that failed', async () => {
      const { request_id: requestId } = await done(pass());
      const settled = { status: 'resolved', answer: 'We removed it.' } as const;
      await rows(b).updateAll(Peer, { status: 'paused' });
      expect((await passed())[0]).to.include({ status: null });
      await rows(b).updateAll(Peer, { status: 'active' });
      expect((await passed())[0]).to.include({ status: null });
      b.clock.advance(60_000);
      expect((await passed())[0]).to.include({ status: 'received' });
      await rows(a).update(Report, { requestId }, settled);
      expect((await passed())[0]).to.include({ status: 'received' });
      b.clock.advance(600_000);
      expect((await passed())[0]).to.deep.include({
        ...{ ...settled, request_id: requestId, reason: 'privacy' },
        operator: moderator.alias,
      });
    });

    it('are read from rows of the trail that name no alias, too', async () => {
      await done(pass());
      const [last] = await rows(b).find(OperatorAudit, {
        where: { action: 'report.pass_on' },
        order: { id: 'DESC' },
        take: 1,
      });
      if (last === undefined) throw new Error('nothing in the trail');
      const said = {
        request_id: randomUUID(),
        board: A,
        reason: 'spam',
        words,
      };
      const after = JSON.stringify(said);
      const earlier = { ...last, id: -last.id, after };
      await rows(b).insert(OperatorAudit, earlier);
      const sent = (await passed()).at(-1);
      const { request_id, reason } = said;
      expect(sent).to.include({ request_id, reason, operator: last.operator });
    });

    it('are bounded by the limits of that board, which say when', async () => {
      await withLimits(a, { reports_per_board_day: 0 }, async () => {
        const refused = await pass();
        expect(refused.status, refused.text).to.equal(429);
        expect(refused.body.retry_after_seconds).to.be.above(0);
        expect(refused.body.detail).to.contain(A);
      });
      expect(await passed()).to.deep.equal([]);
      await done(pass());
    });

    it('are refused to viewers, for others, and where nobody answers', async () => {
      const asked = { subject: subject(), reason: 'spam', words } as const;
      await viewer.ask('report.pass_on', asked).expect(403);
      for (const [more, status] of [
        [{ subject: 'message:1' }, 404],
        [{ subject: `mirrored:999999@${A}` }, 404],
        [{ words: ' \u200b' }, 400],
        [{ words: 'x'.repeat(1001) }, 422],
        [{ reason: 'boring' }, 400],
      ] as const) {
        const answer = await pass(more);
        expect(answer.status, JSON.stringify(more)).to.equal(status);
      }
      for (const change of [
        { status: 'paused' },
        { baseUrl: 'http://127.0.0.1:9' },
      ] as const) {
        await rows(b).updateAll(Peer, change);
        expect((await pass()).body.error).to.equal('origin_unreachable');
        await rows(b).updateAll(Peer, { status: 'active', baseUrl: a.url });
      }
      expect(await atHome()).to.deep.equal([]);
    });
  });

  describe('of a blocked board', () => {
    it('are resolved, and taken no more', async () => {
      const { request_id: uuid } = await taken();
      const admin = await operator(b, 'admin');
      await done(admin.ask('peer.block', { board: A }));
      const { body } = await b.as().get(`/api/reports/${uuid}`);
      expect(body.status).to.equal('resolved');
      const { data, totals } = await done<Queue>(viewer.ask('queue.list', {}));
      expect(data.filter(({ kind }) => kind === 'mirrored')).to.deep.equal([]);
      expect(totals.mirrored).to.equal(undefined);
      const refused = await send(b, report(), freshNetwork());
      expect(refused.body.error).to.equal('unknown_board');
    });
  });
});
