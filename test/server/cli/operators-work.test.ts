import { userInfo } from 'node:os';
import { IsNull } from 'typeorm';
import { doAsOperator } from '../../../server/cli/operator-work.js';
import { OperatorAudit } from '../../../server/db/entities/operator-session.js';
import { givenBoard } from '../../support/hooks.js';
import { publish } from '../../support/post.js';
import { randomUUID } from '../../support/random.js';
import { rows } from '../../support/rows.js';
import { report, send } from '../moderation/reports/reporting.js';
import { settingsOf } from '../operations/backup/site.js';
import { openPoll, PROPOSAL } from '../polls/polling.js';
import { network, rate } from '../votes/rating.js';
import { command, type Environment, refusal } from './command.js';

const SAY = ['--explanation', 'It says nothing — and says it often.'];

describe("the command line's operators", () => {
  const test = givenBoard({ lifted: true });
  let env: Environment;

  before(async () => {
    env = settingsOf(test);
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) {
      await publish(test, { title });
    }
  });

  async function run(...args: string[]): Promise<Record<string, unknown>> {
    const ended = await command([...args, '--json'], env);
    expect(ended.code, ended.stderr).to.equal(0);
    return JSON.parse(ended.stdout);
  }

  const refused = (...args: string[]) => refusal(args, env);

  const stateOf = async (id: number): Promise<string> =>
    (await test.as().get(`/api/moderation/${id}`)).body.state;

  it('give any command of the dashboard', async () => {
    const queue = await run('operator', 'do', 'queue.list', '{"limit": 1}');
    expect(queue).to.have.nested.property('data.next', null);
    const flags = ['--kind', 'topic', '--limit', '1', '--appeals'];
    const same = await run('operator', 'do', 'queue.list', ...flags);
    expect(same.data).to.deep.equal(queue.data);
    const help = await command(['operator', 'do', 'queue.list', '--help']);
    expect(help.stdout).to.include('--claimed').and.include('"nobody"');
    for (const [name, input, why] of [
      ['nothing', '{}', 'name one of alert.settle'],
      ['queue.list', '{', 'must be JSON'],
    ] as const) {
      const error = await doAsOperator(name, input, {}).catch(
        (thrown: Error) => thrown,
      );
      expect(String(error)).to.include(why);
    }
  });

  it('explain themselves', async () => {
    const helpOf = (...args: string[]) => command([...args, '--help']);
    for (const name of ['decision', 'report', 'usefulness']) {
      expect((await helpOf(name)).code).to.equal(0);
      if (name === 'decision') continue;
      const sub =
        name === 'report' ? ['list', 'resolve'] : ['draft', 'publish'];
      for (const one of sub) {
        expect((await helpOf(name, one)).stdout).to.include('--json');
      }
    }
  });

  it('remove, reinstate, hide, restore, keep and erase beside a running node', async () => {
    const by = [...SAY, '--operator', 'warden'];
    const because = ['--reason', 'spam', ...by];
    const stays = ['--reason', 'within_rules', ...by];
    const removed = await run('decision', 'remove', '1', ...because);
    expect(removed).to.include({ ok: true, message_id: 1 });
    expect(removed.moderation_url).to.equal(
      'http://board.test/api/moderation/1',
    );
    const { body } = await test.as().get('/api/moderation/1');
    const [made] = body.decisions;
    expect(removed.decision).to.deep.equal({ ...made, stays_hidden: false });
    expect(made).to.include({
      action: 'remove',
      reason: 'spam',
      operator: 'warden',
    });
    await test.as().get('/api/messages/1').expect(404);
    const back = await run('decision', 'reinstate', '1', ...stays);
    expect(back.decision).to.include({ supersedes: 1, operator: 'warden' });
    await test.as().get('/api/messages/1').expect(200);
    await run('decision', 'hide', '2', ...because);
    expect(await stateOf(2)).to.equal('hidden_by_decision');
    await run('decision', 'restore_visibility', '2', ...stays);
    expect(await stateOf(2)).to.equal('restored');
    await run('decision', 'keep', '3', ...stays, '--seen', 'null');
    expect(await stateOf(3)).to.equal('visible');
    const legal = ['--reason', 'legal', ...SAY];
    const erased = await run('decision', 'erase', '1', ...legal);
    expect(erased.decision).to.include({ operator: 'operator' });
    expect(await stateOf(1)).to.equal('erased');
  });

  it('restore a topic that ratings hid', async () => {
    for (const n of [1, 2, 3]) await rate(test, 5, -1, network(n));
    expect(await stateOf(5)).to.equal('hidden_by_ratings');
    const leave = ['decision', 'hide', '5', '--reason', 'spam', ...SAY];
    const { stdout } = await command(leave, env);
    expect(stdout).to.match(/^Recorded decision \d+, Leave hidden \(spam\)/);
    const why = ['--reason', 'new_information', ...SAY];
    await run('decision', 'restore_visibility', '5', ...why);
    expect(await stateOf(5)).to.equal('restored');
  });

  it('decide a poll', async () => {
    const { id } = await openPoll(test, PROPOSAL, { title: 'A proposal' });
    const done = await run(
      ...['decision', 'poll_decision', String(id)],
      ...['--outcome', 'accepted', ...SAY],
    );
    expect(done.decision).to.include({ action: 'poll_decision' });
    const { body } = await test.as().get(`/api/polls/${id}`);
    expect(body.decision).to.include({
      outcome: 'accepted',
      explanation: SAY[1],
      decided_by: 'operator',
    });
    await refused(
      ...['decision', 'poll_decision', String(id)],
      ...['--outcome', 'declined', ...SAY],
    );
  });

  it('show the decision that stands when they come second', async () => {
    const args = ['decision', 'remove', '4', '--reason', 'spam', ...SAY];
    const first = await run(...args);
    const second = await refused(...args);
    expect(second).to.include('removed already').and.include('says it often');
    const { stdout, code } = await command([...args, '--json'], env);
    expect(code).to.equal(1);
    expect(JSON.parse(stdout)).to.deep.include({
      ok: false,
      error: 'decision_conflict',
      current: first.decision,
    });
  });

  it('say in one line what is wrong', async () => {
    for (const args of [
      ['remove', '2', '--reason', 'spam'],
      ['remove', '2', '--reason', 'disagreement', ...SAY],
      ['remove', '1e1', '--reason', 'spam', ...SAY],
      ['remove', '999', '--reason', 'spam', ...SAY],
      ['poll_decision', '99', '--outcome', 'accepted', ...SAY],
      ['remove', '2', '--reason', 'spam', ...SAY, '--report', randomUUID()],
      ['remove', '2', '--reason', 'spam', ...SAY, '--operator', ' '],
    ]) {
      await refused('decision', ...args);
    }
    const unknown = await command(['decision', 'burn', '2'], env);
    expect(unknown.code).to.equal(1);
    expect(await stateOf(2)).to.equal('restored');
  });

  it('refuse another seed than the board began with', async () => {
    const other = { ...env, BOARD_SEED: 'ff'.repeat(32) };
    const args = ['decision', 'keep', '2', '--reason', 'within_rules', ...SAY];
    expect(await refusal(args, other)).to.include('BOARD_SEED');
    const { BOARD_SEED: _, ...none } = env;
    expect(await refusal(args, none)).to.include('board.seed');
  });

  it('list and settle reports', async () => {
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    for (const [n, request_id] of ids.entries()) {
      const detail = `Look\u001b[31m ${n}`;
      const body = report({ request_id, message_id: 3, detail });
      await send(test, body, network(50 + n)).expect(201);
    }
    const list = await run('report', 'list');
    expect(list.count).to.equal(3);
    const text = await command(['report', 'list'], env);
    expect(text.stdout).not.to.include('\u001b');
    expect(text.stdout).to.include(`${ids[0]}  received  message 3  report`);
    const page = await run('report', 'list', '--limit', '2');
    expect(page.count).to.equal(2);
    const rest = await run('report', 'list', '--after', String(page.next));
    expect(rest.count).to.equal(1);
    const [first = '', second = '', third = ''] = ids;
    await run('report', 'resolve', first);
    await run('report', 'resolve', second, '--dismiss');
    const statusOf = async (id: string) =>
      (await test.as().get(`/api/reports/${id}`)).body;
    expect((await statusOf(first)).status).to.equal('resolved');
    expect((await statusOf(second)).status).to.equal('dismissed');
    await refused('report', 'resolve', first);
    await refused('report', 'resolve', randomUUID());
    const fourth = randomUUID();
    const more = report({ request_id: fourth, message_id: 3 });
    await send(test, more, network(60)).expect(201);
    const done = await run(
      ...['decision', 'hide', '3', '--reason', 'other', ...SAY],
      ...['--report', third],
    );
    expect(done).to.deep.include({ ok: true, open_reports: [fourth] });
    expect(await statusOf(third)).to.include({
      status: 'resolved',
      decision_url: 'http://board.test/api/moderation/3',
    });
    await run('report', 'resolve', fourth);
    expect((await run('report', 'list')).count).to.equal(0);
    expect((await run('report', 'list', '--status', 'all')).count).to.equal(4);
  });

  it('draft and publish a usefulness report', async () => {
    const period = ['--from', '2026-01-12', '--to', '2026-01-19'];
    const draft = await run('usefulness', 'draft', ...period);
    const { id } = draft.report as { id: number };
    const before = await test.as().get('/api/usefulness');
    expect(before.body.reports).to.deep.equal([]);
    const publish = ['usefulness', 'publish', String(id)];
    expect(await refused(...publish)).to.include('Add --yes');
    publish.push('--yes');
    const done = await run(...publish, '--note', 'A quiet week.');
    const { body } = await test.as().get('/api/usefulness');
    expect(body.reports).to.deep.equal([done.report]);
    expect(body.reports[0]).to.deep.include({
      note: 'A quiet week.',
      period: { start: '2026-01-12T00:00:00Z', end: '2026-01-19T00:00:00Z' },
    });
    await refused(...publish);
    await refused('usefulness', 'publish', '99', '--yes');
    await refused('usefulness', 'draft', '--from', '2026-02-30');
    const empty = ['--from', '2026-01-02', '--to', '2026-01-02'];
    await refused('usefulness', 'draft', ...empty);
    await refused('usefulness', 'draft', '--to', '2999-01-01');
    const now = Date.now(); // the clock of the command
    const tomorrow = new Date(now + 86_400_000).toISOString().slice(0, 10);
    const early = await refused('usefulness', 'draft', '--to', tomorrow);
    expect(early).to.include('The period has not ended');
    const [row] = await test.board.context.writes.query<{ id: number }>(
      `INSERT INTO usefulness_report (id, period_start, period_end, created_at,
         metrics, note, operator) SELECT id + 1, period_start, $1, created_at,
         metrics, note, operator FROM usefulness_report ORDER BY id DESC LIMIT 1
       RETURNING id`,
      [now + 86_400_000],
    );
    const open = String(row?.id);
    const unfinished = await refused('usefulness', 'publish', open, '--yes');
    expect(unfinished).to.include('The period has not ended');
    const discarded = await run('usefulness', 'discard', open);
    expect(discarded).to.include({ id: row?.id });
    await refused('usefulness', 'discard', open);
    await refused('usefulness', 'discard', String(id));
  });

  it('leave one row each in the trail', async () => {
    const trail = await rows(test).find(OperatorAudit, {
      where: { sessionId: IsNull() },
      order: { id: 'ASC' },
    });
    const account = `command line (${userInfo().username})`;
    for (const { operator } of trail) expect(operator).to.equal(account);
    expect(trail.map(({ action }) => action)).to.deep.equal([
      ...['decision.remove', 'decision.reinstate', 'decision.hide'],
      ...['decision.restore_visibility', 'decision.keep', 'decision.erase'],
      ...['decision.hide', 'decision.restore_visibility'],
      'decision.poll_decision',
      ...['decision.remove', 'report.resolved', 'report.dismissed'],
      ...['decision.hide', 'report.resolved'],
      ...['usefulness.draft', 'usefulness.publish'],
      'usefulness.discard',
    ]);
  });
});
