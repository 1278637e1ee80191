import { readFile } from 'node:fs/promises';
import { Peer } from '../../server/db/entities/peer.js';
import {
  addPeer,
  type Node,
  startNode,
} from '../mesh/boards/support/linked.js';
import { publishSigned, register } from '../support/agent.js';
import { publish } from '../support/post.js';
import { rows } from '../support/rows.js';
import { type Desk, deskOf, givenDashboard, openAt } from './dashboard-open.js';
import { evidenceRows } from './dashboard-rows.js';

const PEER = 'grove.example';

describe('The pages of the dashboard', () => {
  const { browser, test } = givenDashboard({ ROLES: 'api' });
  let peer: Node;
  let desk: Desk;
  let signed: number;

  before(async () => {
    peer = await startNode(PEER);
    const agent = await register(test);
    const receipt = await publishSigned(test, agent, {
      room: 'lobby',
      title: 'A signed topic',
      name: 'keeper',
      body: 'Grüße.',
    });
    signed = receipt.message.id;
    await publish(test, { title: 'A topic' });
    await addPeer(test, peer);
    await evidenceRows(test, ['grove.example/log\n7\nroot=\n']);
    await test.board.background.jobs.runOnce('watch');
    desk = await deskOf(browser, test, 'admin', { name: 'heron' });
  });
  after(() => peer?.stop());
  afterEach(() => expect(desk.faults).to.deep.equal([]));

  /** What loses something asks, and says what. */
  async function agree(title: string, lost: string): Promise<void> {
    const dialog = desk.page.getByRole('dialog', { name: title });
    await dialog.getByText(lost).waitFor();
    await dialog.getByRole('button', { name: /^(Remove|Sign out)$/ }).click();
  }

  it('keep filters of the queue under a name', async () => {
    const { page } = desk;
    await openAt(desk, test, '/queue?kind=card');
    const saved = page.getByRole('button', { name: 'Saved views' });
    await saved.click();
    const dialog = page.getByRole('dialog', { name: 'Saved views' });
    await dialog.getByLabel('Save the current filters as').fill('Cards');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('button', { name: 'Cards', exact: true }).waitFor();
    await openAt(desk, test, '/queue');
    await saved.click();
    await dialog.getByRole('button', { name: 'Cards', exact: true }).click();
    await page.waitForURL(/kind=card/);
    await saved.click();
    await dialog.getByRole('button', { name: 'Remove Cards' }).click();
    await agree('Remove Cards', 'Its filters have to be set again.');
    await dialog.getByText('None yet.').waitFor();
  });

  it('keep a wording with gaps, and have them filled', async () => {
    const { page } = desk;
    await openAt(desk, test, '/item/message:2');
    await page.getByLabel('What to do').selectOption('keep');
    await page.getByLabel('Reason').selectOption('new_information');
    await page.getByLabel('Public explanation').fill('Because of {{what}}.');
    const open = page.getByRole('button', { name: 'Manage templates' });
    await open.click();
    const dialog = page.getByRole('dialog', { name: 'Templates' });
    await dialog.getByLabel('Save the current text as').fill('Seen');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('button', { name: 'Remove Seen' }).waitFor();
    await openAt(desk, test, '/item/message:2');
    await page.getByLabel('Template', { exact: true }).selectOption('Seen');
    await page.getByText('Fill “what” in.').waitFor();
    const record = page.getByRole('button', { name: 'Record', exact: true });
    expect(await record.isDisabled()).to.equal(true);
    await open.click();
    // Those that come with the software are there, too.
    await dialog.getByText(/was posted {{how many}} times/).waitFor();
    const remove = dialog.getByRole('button', { name: 'Remove Seen' });
    await remove.click();
    await agree('Remove Seen', 'Its text is gone for all operators.');
    await remove.waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    // What is typed is in the text at once, and is recorded from there.
    const gap = page.getByLabel('what', { exact: true });
    await gap.pressSequentially('new_informationx');
    await page.keyboard.press('Backspace');
    const why = page.getByLabel('Public explanation');
    expect(await why.inputValue()).to.equal('Because of new_information.');
    await page.keyboard.press('Control+Enter');
    await page.getByText(/^Message 2 kept \(decision \d+\)/).waitFor();
  });

  it('verify a proof, and show the bytes of a text', async () => {
    const { page } = desk;
    await openAt(desk, test, `/item/message:${signed}`);
    await page.getByRole('button', { name: 'Verify the proof here' }).click();
    await page.getByText('Verified', { exact: true }).waitFor();
    await page.getByText('Raw bytes (UTF-8)').click();
    const bytes = page.getByRole('region', { name: 'Raw bytes' });
    expect(await bytes.textContent()).to.include('47 72 c3 bc c3 9f 65 2e');
  });

  it('filter decisions by the address, and export what is left', async () => {
    const { page, caller } = desk;
    const explanation = 'Because of within_rules.';
    const keep = { action: 'keep', id: signed, reason: 'within_rules' };
    const input = { ...keep, explanation };
    const answer = await caller.post('/do/decision.record', input);
    expect(answer.status, answer.text).to.equal(200);
    const day = new Date(test.clock.now()).toISOString().slice(0, 10);
    await openAt(desk, test, `/decisions?from=${day}&to=${day}&room=lobby`);
    const rows = page.locator('tbody tr');
    await page.getByLabel('Reason').selectOption('new_information');
    await page
      .getByText('Because of within_rules.')
      .waitFor({ state: 'detached' });
    await page.getByText('Because of new_information.').waitFor();
    expect(await rows.count()).to.equal(1);
    await page.getByLabel('Operator’s alias').fill('heron');
    await page.keyboard.press('Enter');
    await page.waitForURL(/operator=heron/);
    const file = page.getByRole('link', { name: 'Export CSV' });
    const path = (await file.getAttribute('href')) ?? '';
    const csv = await page.request.get(`${test.url}${path}`);
    const lines = await csv.text();
    expect(lines).to.include('Because of new_information.');
    expect(lines).not.to.include('Because of within_rules.');
    await page.getByRole('link', { name: /^Reverse decision/ }).click();
    await page.getByText(/reverses decision \d+/).waitFor();
  });

  it('show a piece of evidence, note by note', async () => {
    const { page } = desk;
    await openAt(desk, test, '/mesh');
    const evidence = page.getByRole('region', { name: 'Evidence' });
    await evidence.locator('summary').click();
    const head = evidence.getByRole('region', {
      name: 'One head that it signed',
    });
    await head.waitFor();
    expect(await head.textContent()).to.equal('grove.example/log\n7\nroot=\n');
    await evidence
      .getByText(/^One key signed a log of 7 entries, and/)
      .waitFor();
  });

  it('name the boards that may still show what was removed', async () => {
    const { page, caller } = desk;
    const { message } = await publish(test, { title: 'A number of a phone' });
    const acked = (ackedSize: number) =>
      rows(test).updateAll(Peer, {
        ...{ ackedSize, remoteSize: 8 },
        document: '{"peers":[]}',
      });
    const unconfirmed = page.getByText('Has not confirmed us', { exact: true });
    await acked(0);
    await openAt(desk, test, '/mesh');
    await unconfirmed.waitFor();
    await acked(1);
    const ruling = {
      action: 'remove',
      reason: 'privacy',
      explanation: 'Asked.',
    };
    const input = { ...ruling, id: message.id };
    const answer = await caller.post('/do/decision.record', input);
    expect(answer.status, answer.text).to.equal(200);
    await openAt(desk, test, '/mesh');
    await page.getByRole('cell', { name: '0 of 8 (0 %)' }).waitFor();
    const title = { name: 'Removals that are not acknowledged' };
    const removals = page.getByRole('region', title);
    const row = removals.getByRole('row', { name: new RegExp(`^${PEER} 1 `) });
    await row.getByRole('link', { name: `Message ${message.id}` }).waitFor();
    // A board that signed our log has confirmed us. Its older document may lag.
    expect(await unconfirmed.count()).to.equal(0);
    await acked(1_000_000);
    await openAt(desk, test, '/mesh');
    await removals.getByText(/has acknowledged every removal/).waitFor();
  });

  it('show what a policy would change before it does', async () => {
    const { page } = desk;
    await openAt(desk, test, '/mesh');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const policy = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(policy.peers[0].name).to.equal(PEER);
    policy.peers[0].trust = 'proofs';
    const put = page.getByRole('button', { name: 'Import', exact: true });
    expect(await put.isDisabled()).to.equal(true);
    await page
      .getByLabel('The policy to import')
      .fill(JSON.stringify(policy, null, 2));
    await page.getByRole('button', { name: 'Show what would change' }).click();
    await page.getByText('Nothing is changed yet. It would be:').waitFor();
    await page.getByText('Trust: mirror to proofs').waitFor();
    expect((await test.board.peerAdmin.read(PEER)).trust).to.equal('mirror');
    await put.click();
    await page.getByText('Imported.').waitFor();
    expect((await test.board.peerAdmin.read(PEER)).trust).to.equal('proofs');
  });

  it('change how far a board is trusted, pause, resume and block it', async () => {
    const { page } = desk;
    await openAt(desk, test, '/mesh');
    await page.getByRole('button', { name: PEER }).click();
    const row = page.getByRole('row', { name: new RegExp(PEER) });
    const trust = page.getByLabel('Trust', { exact: true });
    const words = await trust.locator('option').allTextContents();
    expect(words).to.include('Relay: accept posts that it hands over');
    const change = page.getByRole('button', { name: 'Change', exact: true });
    await trust.selectOption('mirror');
    await change.click();
    await row.getByText('mirror').waitFor();
    // What keeps less says how much it deletes, and asks.
    await trust.selectOption('witness');
    await page.getByText(/deletes the rest\. The copy has 0 texts/).waitFor();
    await change.click();
    await row.getByText('mirror').waitFor();
    expect((await test.board.peerAdmin.read(PEER)).trust).to.equal('mirror');
    await page.getByLabel('Delete these texts').check();
    await change.click();
    await row.getByText('witness').waitFor();
    for (const [name, then] of [
      ['Pause', 'paused'],
      ['Resume', 'active'],
      ['Block', 'blocked'],
    ] as const) {
      await page.getByRole('button', { name: `${name} ${PEER}` }).click();
      const dialog = page.getByRole('dialog', { name: `${name} ${PEER}` });
      const why = dialog.getByLabel('Why (for operators)');
      if (name === 'Block') await why.fill('It lies.');
      await dialog.getByRole('button', { name }).click();
      await row.getByText(then).waitFor();
    }
    await page.getByText('It lies.').waitFor();
  });

  it('show what the node runs on', async () => {
    const { page } = desk;
    await openAt(desk, test, '/system');
    await page.getByRole('cell', { name: 'Alerts, figures' }).waitFor();
    await page
      .getByText('Operations1763900600000')
      .waitFor({ state: 'attached' });
    const all = ['Versions and machine', 'Backups', 'Log', 'Jobs', 'Database'];
    for (const name of all) {
      await page.getByRole('heading', { name, exact: true }).waitFor();
    }
    await page.getByRole('region', { name: 'The signed head' }).waitFor();
    await page.getByRole('region', { name: /^Limits of/ }).waitFor();
  });

  it('invite, change roles, end sessions and check the trail', async () => {
    const { page } = desk;
    const other = await deskOf(browser, test, 'viewer', { name: 'plover' });
    await desk.caller.post('/do/subject.claim', { subject: 'message:1' });
    await openAt(desk, test, '/operators');
    const item = page.getByRole('link', { name: 'Message 1', exact: true });
    await item.first().waitFor();
    await page.getByLabel('Name to sign in with').fill('wren');
    await page.getByRole('button', { name: 'Make a link' }).click();
    await page.getByText('/admin/setup#').waitFor();
    await page.getByLabel('Name to sign in with').fill('wren');
    await page.getByText(/^A new link ends the one that /).waitFor();
    // A link that replaces credentials asks first.
    await page.getByLabel('Name to sign in with').fill('plover');
    await page.getByLabel(/^plover exists: replace all/).waitFor();
    await page.getByRole('button', { name: 'Change role of plover' }).click();
    const dialog = page.getByRole('dialog');
    const sure = dialog.getByRole('button', { name: 'Change role' });
    expect(await sure.isDisabled()).to.equal(true);
    await dialog.getByLabel('New role').selectOption('moderator');
    await sure.click();
    await page.getByText('plover is now moderator.').waitFor();
    await page.getByRole('cell', { name: 'Operator: role' }).waitFor();
    await page.getByRole('button', { name: /^Sessions of plover/ }).click();
    const sessions = page.getByRole('region', { name: 'Sessions of plover' });
    const out = sessions.getByRole('button', { name: /^Sign out/ });
    await out.first().click();
    await agree('Sign out A test', 'This device has to sign in again.');
    const ended = page.getByRole('cell', { name: /^Operator: end session/ });
    await ended.first().waitFor();
    await page.getByRole('button', { name: 'Check the chain' }).click();
    await page.getByText(/^Whole, \d+ rows/).waitFor();
    await other.context.close();
  });
});
