import { expect } from 'chai';
import { reasonsOf } from '../../../protocol/moderation.js';
import { operator } from '../../../test/admin/operators.js';
import { BASE_URL } from '../../../test/support/board.js';
import { randomUUID } from '../../../test/support/random.js';
import { compareMessage } from './compare.js';
import type { DumbReport } from './dumb-moderation.js';
import { address, expectSame, type Of, pick, type Scene } from './scene.js';

export async function report(scene: Scene, it: Of<'report'>): Promise<void> {
  const message = pick(scene.dumb.messages, it.which);
  if (message === undefined) return;
  const filed: DumbReport = {
    requestId: randomUUID(),
    kind: it.appeal ? 'appeal' : 'report',
    messageId: message.id,
    at: scene.now,
    status: 'received',
  };
  const { requestId: request_id, kind, messageId: message_id } = filed;
  const body = { request_id, kind, message_id, reason: 'spam' };
  const got = await scene.asker.post('/api/reports', body, address(it.from));
  expectSame(got, { status: 201, code: 'received' });
  expect(got.body).to.include({ request_id, kind, message_id });
  scene.dumb.moderation.file(filed);
  scene.reported.push({ body, receipt: got.body });
}

export async function repeatReport(
  scene: Scene,
  it: Of<'repeat report'>,
): Promise<void> {
  const one = pick(scene.reported, it.which);
  if (one === undefined) return;
  const body = it.change ? { ...one.body, detail: 'other' } : one.body;
  const got = await scene.asker.post('/api/reports', body, address(it.from));
  if (it.change) {
    expectSame(got, { status: 409, code: 'request_id_conflict' });
    return;
  }
  expectSame(got, { status: 200, code: 'received' });
  expect(got.body).to.deep.equal(one.receipt);
}

export async function decide(scene: Scene, it: Of<'decide'>): Promise<void> {
  const { moderation, messages } = scene.dumb;
  const message = pick(messages, it.which);
  if (message === undefined) return;
  const { action } = it;
  const wanted = moderation.judged(message, action);
  const supersedes = moderation.undone(message, action);
  const settled = it.settles
    ? moderation.open(message.id).map(({ requestId }) => requestId)
    : [];
  const asked = {
    ...{ action, id: message.id, explanation: 'Why not.' },
    reason: reasonsOf(action)[0],
    ...(settled.length === 0 ? {} : { report_ids: settled }),
  };
  // A session of its own: the clock of a run goes on by hours.
  const { cookie, alias } = await operator(scene.test, 'moderator');
  const headers = { Cookie: cookie, Origin: BASE_URL };
  const path = '/admin/api/do/decision.record';
  const got = await scene.asker.post(path, asked, undefined, headers);
  expect(got.status, got.text).to.equal(wanted.status);
  if (wanted.status !== 200) {
    expect(got.body.error).to.equal(wanted.code);
    return;
  }
  const shown = got.body.decision;
  expect(shown).to.include({ action, supersedes, operator: alias });
  moderation.decide(message, { action, at: scene.now, shown }, settled);
}

export async function look(scene: Scene, it: Of<'look'>): Promise<void> {
  const message = pick(scene.dumb.messages, it.which);
  const receipt = scene.receipts.get(message?.id ?? 0);
  if (message === undefined || receipt === undefined) return;
  await compareMessage(scene.asker, scene.dumb, message, receipt);
}
