import { rm } from 'node:fs/promises';
import { newGeneration } from '../../mesh/cli/log-new-generation.js';
import { openIdentity, signIdentity } from '../../protocol/identity.js';
import { fingerprintOf } from '../../protocol/vkey.js';
import { OperatorAudit } from '../../server/db/entities/operator-session.js';
import { Peer } from '../../server/db/entities/peer.js';
import type { BoardKeys } from '../../server/ledger/board-keys.js';
import { befriend, logVkeyOf, nodeOnPort } from '../mesh/peers/node-on-port.js';
import { report, send } from '../server/moderation/reports/reporting.js';
import { network } from '../server/votes/rating.js';
import { createDatabase } from '../support/cluster.js';
import { freePort } from '../support/free-port.js';
import { publish } from '../support/post.js';
import { rows } from '../support/rows.js';
import { until } from '../support/until.js';
import { focused } from './dashboard-inspect.js';
import {
  axeFaults,
  type Desk,
  deskOf,
  givenDashboard,
  openAt,
} from './dashboard-open.js';

const WAITING = 20;
const DAY_MS = 86_400_000;

describe('What operators come for', () => {
  const { browser, test } = givenDashboard({
    MESH_ALLOW_HTTP: 'on',
    MESH_ALLOW_PRIVATE: 'on',
  });
  let desk: Desk;
  let keys: BoardKeys;

  const moderation = async (id: number) =>
    (await test.as().get(`/api/moderation/${id}`)).body;

  before(async () => {
    for (let n = 1; n <= WAITING; n += 1) {
      await publish(test, { title: `Topic ${n}` });
      test.clock.advance(1000);
      await send(test, report({ message_id: n }), network(900 + n)).expect(201);
    }
    desk = await deskOf(browser, test, 'admin', { name: 'heron' });
  });
  afterEach(() => expect(desk.faults).to.deep.equal([]));

  it('is a queue of twenty, cleared by keyboard alone', async () => {
    const { page } = desk;
    const { keyboard } = page;
    await openAt(desk, test, '/queue');
    await page.getByRole('link', { name: /Topic 1$/ }).waitFor();
    await keyboard.press('j');
    await keyboard.press('d');
    for (let n = 1; n <= WAITING; n += 1) {
      await page.getByRole('heading', { name: `Message ${n}` }).waitFor();
      const explanation = page.getByLabel('Public explanation');
      await explanation.waitFor();
      if (n > 1) await keyboard.press('d');
      // From “What to do” by Tab, as somebody without a mouse goes.
      await until(
        `the form of ${n} to have the focus`,
        async () => (await focused(page)) === 'What to do',
      );
      const fields = [];
      while (!(await focused(page)).startsWith('Public explanation')) {
        fields.push(await focused(page));
        expect(fields, 'fields on the way').to.have.length.below(6);
        await keyboard.press('Tab');
      }
      await keyboard.type(`Looked at, number ${n}.`);
      await keyboard.press('Control+Enter');
    }
    await page.getByText('Nothing waits.').waitFor();
    for (const n of [1, WAITING]) {
      const { decisions } = await moderation(n);
      expect(
        decisions.map((it: { action: string }) => it.action),
      ).to.deep.equal(['keep']);
      expect(decisions[0].explanation).to.equal(`Looked at, number ${n}.`);
    }
  });

  it('is to remove, and to reinstate', async () => {
    const { page } = desk;
    await openAt(desk, test, '/item/message:3');
    const record = page.getByRole('button', { name: 'Record', exact: true });
    await page.getByLabel('What to do').selectOption('remove');
    await page.getByLabel('Public explanation').fill('It is spam after all.');
    await record.click();
    await page.getByText('Removed. The text can be reinstated').waitFor();
    expect((await moderation(3)).state).to.equal('removed');
    await page.getByRole('button', { name: 'Show the sealed text' }).click();
    await page.getByRole('heading', { name: 'Sealed text' }).waitFor();
    await page.getByRole('heading', { level: 1 }).focus();
    await page.keyboard.press('u');
    await page.getByText(/reverses decision \d+/).waitFor();
    await page.goBack();
    await page.getByText(/Message 3 removed \(decision \d+\)/).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/reverses decision \d+/).waitFor();
    expect(await page.getByLabel('What to do').inputValue()).to.equal(
      'reinstate',
    );
    await page.getByLabel('Public explanation').fill('No, it is not.');
    await record.click();
    await until(
      'it is there again',
      async () => (await moderation(3)).state === 'visible',
    );
  });

  it('is to publish a usefulness report as previewed', async () => {
    const { page } = desk;
    await openAt(desk, test, '/usefulness');
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const now = test.clock.now();
    const period = { from: day(now - 7 * DAY_MS), to: day(now) };
    await page.getByLabel('From (UTC)').fill(period.from);
    await page.getByLabel('Until (last day excluded)').fill(period.to);
    await page.getByLabel('Public note').first().fill('A first week.');
    await page.getByRole('button', { name: 'Compute the figures' }).click();
    await page.getByText('Draft', { exact: true }).waitFor();
    await page.getByText(/^The draft \d+ is below/).waitFor();
    await page.getByText(/^No topic or reply was published in that/).waitFor();
    const preview = page.getByRole('button', { name: 'Preview' });
    await preview.click();
    const publishing = async () => {
      await page.getByRole('button', { name: 'Publish' }).click();
      const dialog = page.getByRole('dialog', { name: 'Publish' });
      await dialog.getByRole('button', { name: 'Publish' }).click();
    };
    // A colleague has it counted again, with another note.
    test.clock.advance(1);
    const again = { id: 1, ...period, note: 'Counted again.' };
    await desk.caller.post('/do/usefulness.draft', again);
    await publishing();
    await page.getByText(/^This draft has changed meanwhile/).waitFor();
    await page.getByText('Counted again.', { exact: true }).waitFor();
    await preview.click();
    await page.getByText('As JSON', { exact: true }).click();
    const json = page.getByRole('region', { name: 'The report as JSON' });
    const shown = JSON.parse((await json.textContent()) ?? '');
    await publishing();
    await page.getByText('Published', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'as everybody reads it' }).waitFor();
    const { body } = await test.as().get('/api/usefulness');
    expect(body.reports).to.have.length(1);
    expect(body.reports[0].note).to.equal('A first week.');
    expect(body.reports[0].metrics).to.deep.equal(shown.metrics);
  });

  it('is to link a board whose key they have compared', async () => {
    const { page } = desk;
    const peer = await nodeOnPort();
    keys = peer.board.context.keys;
    await openAt(desk, test, '/mesh');
    // What the other side compares.
    const own = page.getByRole('region', { name: 'This board' });
    await own.getByText(logVkeyOf(test), { exact: true }).waitFor();
    const key = logVkeyOf(peer);
    const address = page.getByLabel('Address of the board');
    // The one field that is needed: it has the key to compare, too.
    await address.fill(`reserve-board peer add ${peer.url} --confirm '${key}'`);
    await page.getByRole('button', { name: 'Fetch its identity' }).click();
    await page.getByText('Equal: it is their key.').waitFor();
    const next = page.getByRole('button', { name: 'Next: what to keep' });
    const sent = page.getByLabel('Paste the key that they sent');
    await sent.fill(fingerprintOf(key));
    await page.getByText(/^Not equal: do not confirm/).waitFor();
    expect(await next.isDisabled()).to.equal(true);
    await sent.fill(key);
    await next.click();
    const all = page.getByRole('radio', { name: 'All messages' });
    const holds = page.getByText('It says that it has 0 of them now.');
    await holds.first().waitFor();
    await all.check();
    expect(await axeFaults(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Link this board' }).click();
    await page.getByText('The key is confirmed.').waitFor();
    const [linked] = await test.board.peerAdmin.list();
    expect(linked).to.include({
      ...{ status: 'active', trust: 'mirror', content: 'all' },
    });
    // The other side knows nothing of it yet.
    const them = page.getByRole('region', { name: /^What to send to/ }).first();
    await them.getByText('has not confirmed this board yet').waitFor();
    const { baseUrl } = test.board.context.config;
    await them.getByText(`peer add ${baseUrl} --confirm '`).waitFor();
    await peer.stop();
  });

  it('is to confirm the new address of a linked board', async () => {
    const { page } = desk;
    const [linked] = await test.board.peerAdmin.list();
    const pinned = openIdentity(linked?.identity ?? '');
    if (!pinned.ok) throw new Error(pinned.reason);
    const moved = { ...pinned.value, url: 'http://127.0.0.1:9', seq: 100 };
    const pendingIdentity = signIdentity(moved, keys.log, keys.node);
    await rows(test).updateAll(Peer, { pendingIdentity });
    await openAt(desk, test, '/mesh');
    await page.getByText('Address to confirm').waitFor();
    await page.getByRole('button', { name: moved.name }).click();
    const terms = page.locator('.preview dl');
    await terms.getByText(moved.url).waitFor();
    await terms.getByText(linked?.base_url ?? '').waitFor();
    await page.getByText(/^Nothing is asked at the new address/).waitFor();
    await page.getByLabel('I have compared the address').check();
    await page
      .getByLabel('Paste the key that they sent')
      .fill(linked?.log_vkey ?? '');
    await page.getByRole('button', { name: /^Confirm this address/ }).click();
    await page.getByText('The key is confirmed.').waitFor();
    const [now] = await test.board.peerAdmin.list();
    expect(now).to.include({ base_url: moved.url, pending_address: null });
    const [row] = await rows(test).find(OperatorAudit, {
      where: { action: 'peer.confirm' },
      order: { id: 'DESC' },
    });
    expect(JSON.parse(row?.after ?? '')).to.include({ address: moved.url });
  });

  it('is to learn that nobody they know signed a changed identity', async () => {
    const { page } = desk;
    const port = await freePort();
    const own = await createDatabase();
    const env = { PORT: String(port), BASE_URL: `http://127.0.0.1:${port}` };
    let peer = await nodeOnPort({ env, databaseUrl: own.url });
    await befriend(test, peer);
    const { clock } = peer;
    const { config } = peer.board.context;
    await peer.stop();
    const other = { BOARD_SEED: 'e1'.repeat(32) };
    const changed = { ...config, boardSeed: other.BOARD_SEED };
    await newGeneration(changed, { clock });
    peer = await nodeOnPort({
      env: { ...env, ...other },
      databaseUrl: own.url,
      clock,
    });
    await openAt(desk, test, '/mesh');
    await page.getByLabel('Address of the board').fill(peer.url);
    await page.getByRole('button', { name: 'Fetch its identity' }).click();
    await page
      .getByText('It is NOT signed by the key you confirmed: compare')
      .waitFor();
    await peer.stop();
    await own.drop();
    await rm(config.dataDir, { recursive: true });
  });
});
