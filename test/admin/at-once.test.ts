import {
  COMMANDS,
  type CommandInput,
  type CommandName,
} from '../../server/dashboard/all-commands.js';
import { OperatorInvite } from '../../server/db/entities/operator.js';
import { raiseAlert } from '../../server/operations/alerts.js';
import { recordFaults } from '../faults/report.js';
import { logVkeyOf, nodeOnPort } from '../mesh/peers/node-on-port.js';
import { openPoll, PROPOSAL } from '../server/polls/polling.js';
import type { TestBoard } from '../support/board.js';
import { givenBoard } from '../support/hooks.js';
import { publish } from '../support/post.js';
import { randomUUID } from '../support/random.js';
import { rows } from '../support/rows.js';
import { device } from './access-link.js';
import { copies, itemsOf, SPAM } from './bulks.js';
import {
  done,
  operator,
  RULING,
  reported,
  type SignedInOperator,
  STAYS,
} from './operators.js';

const AT_ONCE = 8;
/**
 * Of a dead delivery, and of mirrored messages, of which there are none; what
 * is passed on at once is tried with two boards (mesh/boards/reports.test.ts).
 */
const UNTRIED: readonly string[] = [
  ...['notification.retry', 'peer.hide', 'report.pass_on'],
];

type Body = Record<string, unknown>;

/** Keys are pressed twice, answers get lost, operators think alike. */
describe('A command that is sent many times at once', () => {
  const test = givenBoard({
    lifted: true,
    env: { MESH_ALLOW_HTTP: 'on', MESH_ALLOW_PRIVATE: 'on' },
  });
  let peer: TestBoard;
  let ada: SignedInOperator;
  let operators: SignedInOperator[];
  const sent = new Set<string>();

  before(async () => {
    peer = await nodeOnPort();
    ada = await operator(test, 'admin', 'Ada');
    operators = [ada, await operator(test, 'admin', 'Bea')];
    await publish(test, { title: 'A topic' });
  });

  after(() => peer.stop());

  /** What was answered to those who were not refused; nobody met a failure. */
  async function atOnce<N extends CommandName>(
    name: N,
    input: CommandInput<N>,
    by: readonly SignedInOperator[] = operators,
  ): Promise<Body[]> {
    sent.add(name);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, n) =>
        (by[n % by.length] as SignedInOperator).ask(name, input),
      ),
    );
    for (const { status, text } of answers) {
      expect(status, `${name} ${text}`).to.be.below(500);
    }
    const taken = answers.filter(({ status }) => status === 200);
    expect(taken, `${name} ${answers[0]?.text}`).not.to.deep.equal([]);
    return taken.map(({ body }) => body);
  }

  const idsOf = (bodies: readonly Body[]) => [
    ...new Set(bodies.map(({ id }) => id as string)),
  ];

  it('decides once', async () => {
    const [id = 0, other = 0] = await copies(test, 2);
    await atOnce('decision.record', { action: 'remove', id, ...RULING });
    const poll = await openPoll(test, PROPOSAL);
    await atOnce('decision.record', {
      ...{ action: 'poll_decision', outcome: 'deferred', id: poll.id },
      ...{ explanation: 'Later.', seen: null },
    });
    const report_ids = [await reported(test, other)];
    await atOnce('report.settle', { report_ids, as: 'dismissed' });
    for (const [message, decisions] of [
      [id, 1],
      [poll.rootId, 1],
    ] as const) {
      const { body } = await test.as().get(`/api/moderation/${message}`);
      expect(body.decisions).to.have.length(decisions);
    }
  });

  it('begins, fills, runs, cancels and undoes one bulk', async () => {
    const ids = await copies(test, 12);
    const bulk = randomUUID();
    const items = itemsOf(ids.slice(0, 6));
    await atOnce('bulk.begin', { bulk, ...SPAM, items }, [ada]);
    await atOnce('bulk.add', { bulk, items: itemsOf(ids) }, [ada]);
    await atOnce('bulk.run', { bulk }, [ada]);
    const read = await done(ada.ask('bulk.read', { bulk, limit: 100 }));
    expect(read).to.include({ total: 12, done: 12, refused: 0 });
    const undo = randomUUID();
    await atOnce('bulk.undo', { bulk: undo, undoes: bulk, ...STAYS }, [ada]);
    await atOnce('bulk.cancel', { bulk: undo });
    const undone = await done(ada.ask('bulk.read', { bulk: undo }));
    expect(undone).to.include({ total: 12, state: 'cancelled' });
    // Two operators with one ID: it belongs to the first.
    const shared = randomUUID();
    const begun = await atOnce('bulk.begin', { bulk: shared, ...SPAM });
    expect(begun.length).to.be.at.most(AT_ONCE / operators.length);
  });

  it('claims, notes, and names templates, views and rules', async () => {
    const subject = 'message:1';
    await reported(test, 1);
    await atOnce('subject.open', { subject });
    await atOnce('subject.claim', { subject });
    await atOnce('subject.unclaim', { subject });
    const [note = ''] = idsOf(
      await atOnce('note.add', { subject, note: 'Look here.' }),
    );
    await atOnce('note.remove', { id: note });
    const name = 'The same name';
    const template = { name, action: 'remove', ...RULING } as const;
    await atOnce('template.save', template);
    await atOnce('template.remove', { name });
    await atOnce('view.save', { name, query: 'kind=card' });
    await atOnce('view.remove', { name });
    const rule: CommandInput<'watch.save'>['rule'] = {
      kind: 'words',
      terms: ['casino'],
    };
    const rules = idsOf(await atOnce('watch.save', { name, rule }));
    expect(rules).to.have.length(1);
    const id = rules[0] ?? '';
    const changed = { id, seen: 1, name, rule, paused: true };
    expect(await atOnce('watch.save', changed)).to.have.length(1);
    expect(await atOnce('watch.remove', { id })).to.have.length(1);
  });

  it('settles alerts, sets channels, publishes one report', async () => {
    const { context } = test.board;
    const alert = { kind: 'disk_low', subject: 'here' } as const;
    await raiseAlert(
      context.writes,
      { ...alert, detail: 'Full.' },
      test.clock.now(),
    );
    await atOnce('alert.settle', { ...alert, note: 'There is room.' });
    const channels = idsOf(
      await atOnce('notification.save', { way: 'browser', kinds: ['report'] }, [
        ada,
      ]),
    );
    await atOnce('notification.remove', { id: channels[0] ?? '' }, [ada]);
    const url = 'https://hooks.example/a';
    const [hook = ''] = idsOf(
      await atOnce('notification.save', {
        ...{ of: 'board', way: 'webhook', kinds: ['alert'], url },
      }),
    );
    expect(await atOnce('notification.test', { id: hook })).to.have.length(1);
    const day = (ago: number) =>
      new Date(test.clock.now() - ago * 86_400_000).toISOString().slice(0, 10);
    const period = { from: day(5), to: day(1) };
    const drafts = idsOf(await atOnce('usefulness.draft', period)).map(Number);
    const [first = 0, second = 0] = drafts;
    await atOnce('usefulness.publish', { id: first });
    await atOnce('usefulness.discard', { id: second });
  });

  it('links one board', async () => {
    const { name: board } = peer.board.context.board;
    await atOnce('peer.add', { url: peer.url });
    await atOnce('peer.confirm', { board, log_vkey: logVkeyOf(peer) });
    await atOnce('peer.trust', { board, trust: 'mirror', content: 'all' });
    await atOnce('peer.limits', { board, entries_day: 1000 });
    await atOnce('peer.pause', { board });
    await atOnce('peer.resume', { board });
    const policy = await done(ada.ask('peer.policy_export', {}));
    await atOnce('peer.policy_import', { policy, apply: true });
    await atOnce('peer.block', { board });
    await atOnce('peer.forget', { board });
    const listed = await done<Body[]>(ada.ask('peer.list', {}));
    expect(listed).to.deep.equal([]);
  });

  it('makes one link for a new account, and ends it once', async () => {
    const admins = [await device(test, 'admin'), await device(test, 'admin')];
    const posts: [path: string, body?: object][] = [
      ['/operators/invite', { name: 'carla', role: 'viewer' }],
      ['/operators/invites/carla/cancel'],
    ];
    for (const [path, body] of posts) {
      const answers = await Promise.all(
        admins.flatMap((it) =>
          [...Array(4)].map(() => it.post(path, body ?? {})),
        ),
      );
      for (const { status, text } of answers) {
        expect(status, `${path} ${text}`).to.be.below(500);
      }
    }
    const left = await rows(test).countBy(OperatorInvite, { name: 'carla' });
    expect(left).to.equal(0);
  });

  it('is each command that changes something', async () => {
    // A race cannot hurt reads.
    const names = Object.values(COMMANDS)
      .filter(({ reads }) => !reads)
      .map(({ name }) => name);
    expect([...sent, ...UNTRIED]).to.include.members(names);
    await recordFaults({ test: 'G9 commands', faults: sent.size * AT_ONCE });
  });
});
