import { recordFaults } from '../faults/report.js';
import { FULL } from '../support/full.js';
import { publish } from '../support/post.js';
import { until } from '../support/until.js';
import {
  FOREIGN,
  type Inspector,
  inspector,
  STEP,
} from './dashboard-inspect.js';
import { givenDashboard } from './dashboard-open.js';
import {
  accountRows,
  decidedRows,
  deviceRows,
  draftRows,
  evidenceRows,
  inviteRows,
  jobRows,
  operatorRows,
  peerRows,
  reportedRows,
  short,
  storable,
} from './dashboard-rows.js';
import { VECTORS } from './pages-vectors.js';

const AT_ONCE = 50;
const TEXTS = VECTORS.map(storable);
/** Every vector is in one of these. */
const grouped = (size: number) =>
  TEXTS.flatMap((_, n) =>
    n % size === 0 ? [TEXTS.slice(n, n + size).join('\n')] : [],
  );
const GROUPS = grouped(AT_ONCE);
/** Notes that are published have a limit. */
const NOTES = grouped(20);
/** An account has controls of its own, which take their time. */
const ALIASES = TEXTS.filter((_, n) => FULL || n % 5 === 0);

describe('What other boards and operators write, at the dashboard', () => {
  const { browser, test } = givenDashboard({
    // No worker asks these boards for anything.
    ROLES: 'api',
    BOARD_TITLE: TEXTS[0] ?? '',
    BOARD_CONTACT: TEXTS.slice(0, AT_ONCE).join(' '),
  });
  let at: Inspector;

  before(async () => {
    const { message } = await publish(test, { title: 'A topic' });
    await decidedRows(test, message.id, TEXTS);
    at = await inspector(browser, test);
  });

  it('never runs among the decisions', async () => {
    await at.open('/decisions');
    await at.whole('/decisions', 'tbody tr', TEXTS.length);
    const alias = encodeURIComponent(TEXTS[0] ?? '');
    await at.open(`/decisions?operator=${alias}&message_id=${alias}`);
    await at.inspect('the filters of decisions');
  });

  it('never runs in what was decided before, or in templates', async () => {
    const { page } = at;
    await at.open('/item/message:1');
    await page.getByRole('heading', { name: 'Earlier decisions' }).waitFor();
    await at.inspect('earlier decisions');
    await page.getByRole('button', { name: /^Manage templates/ }).click();
    await page.getByRole('dialog').getByRole('listitem').first().waitFor();
    await at.inspect('templates');
  });

  it('never runs in what operators leave for each other', async () => {
    const { bulk } = await operatorRows(test, at.operatorId, 1, TEXTS);
    for (const [path, part] of [
      ['/item/message:1', '.inert'],
      ['/settings/watch-rules', '.inert'],
      ['/settings/notifications', '.inert'],
      [`/bulk/${bulk}`, 'tbody tr'],
      ['/operators', '.inert'],
    ] as const) {
      await at.open(path);
      await at.whole(path, part, TEXTS.length);
    }
    await at.open('/queue');
    await at.page.getByRole('button', { name: 'Saved views' }).click();
    await at.whole('saved views', '[role=dialog] .inert', 20);
  });

  describe('of accounts and of the node', () => {
    it('never runs in names of accounts, passkeys, devices and links', async () => {
      const { page } = at;
      await deviceRows(test, at.operatorId, NOTES);
      await inviteRows(test, NOTES);
      const names = await accountRows(test, ALIASES);
      await at.open('/account');
      await at.whole('passkeys and devices', '.inert', 2 * NOTES.length);
      await page
        .getByRole('button', { name: /^Remove the passkey/ })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
      await at.inspect('a passkey to be removed');
      await at.open('/operators');
      const links = page.getByRole('button', { name: /^Cancel the link for/ });
      await until(
        'the links',
        async () => (await links.count()) >= NOTES.length,
      );
      for (const name of names) {
        await page.getByRole('cell', { name, exact: true }).waitFor();
      }
      await at.inspect('accounts and links');
      await links.first().click();
      await page.getByRole('dialog').waitFor();
      await at.inspect('a link to be cancelled');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: /^Sessions of admin-/ }).click();
      await page
        .getByRole('heading', { name: /^Sessions of admin-/ })
        .waitFor();
      await at.whole(
        'sessions',
        '[aria-label^="Devices that"] .inert',
        NOTES.length,
      );
      await at.open('/decisions');
      await at.inspect('the title of the board');
    });

    it('never runs in names and errors of jobs', async () => {
      await jobRows(test, TEXTS);
      await at.open('/system');
      await at.whole('/system', 'td .inert', TEXTS.length);
    });

    it('never runs in drafts of reports, or in what they would publish', async () => {
      const { page } = at;
      await draftRows(test, NOTES);
      await at.open('/usefulness');
      await at.whole('/usefulness', 'p > .inert', 2 * NOTES.length);
      for (const folded of await page.locator('main summary').all()) {
        await folded.click();
      }
      await page.getByRole('button', { name: 'Preview' }).first().click();
      await page
        .getByRole('region', { name: 'Exact public preview' })
        .waitFor();
      await at.inspect('a draft, as it would be published');
    });

    it('is a text in the one document that names a contact', async () => {
      const { headers, text } = await test.as().get('/rules.md');
      expect(text).to.contain(TEXTS[0]);
      expect(headers['content-type']).to.match(/^text\/markdown;/);
      expect(headers['x-content-type-options']).to.equal('nosniff');
      expect(headers['content-security-policy']).to.contain('sandbox');
      await at.page.goto(`${test.url}/`);
      await at.inspect('the first page, below its title');
    });
  });

  describe('of the mesh', () => {
    before(async () => {
      await peerRows(test, TEXTS, GROUPS);
      await evidenceRows(test, GROUPS);
      await test.board.background.jobs.runOnce('watch');
    });

    it('never runs in alerts, names of boards and lines of charts', async () => {
      await at.open('');
      await at.page.getByText('Lag by board as a table').click();
      await at.whole('the overview', 'tbody tr', TEXTS.length);
    });

    it('never runs among the linked boards, or in what one shows', async () => {
      const { page } = at;
      await at.open('/mesh');
      await at.whole('/mesh', 'tbody button', TEXTS.length);
      for (const n of GROUPS.keys()) {
        const name = new RegExp(`^${n} `);
        await page.locator('tbody button', { hasText: name }).click();
        // What is folded is there as well, and is looked at like the rest.
        const panel = page.locator('h2 > .inert', { hasText: name });
        await until('the board', async () => (await panel.count()) > 0);
        await at.inspect(`board ${n}`);
      }
    });

    it('never runs in evidence', async () => {
      const all = at.page
        .getByRole('region', { name: 'Evidence' })
        .getByRole('listitem');
      expect(await all.count()).to.equal(GROUPS.length);
      for (const n of GROUPS.keys()) {
        const one = all.nth(n);
        await one.locator('summary').click();
        await one.getByRole('region', { name: /^All of it/ }).waitFor();
      }
      await at.inspect('evidence');
    });
  });
});

/** Texts that share one item's page; every vector is in one of them. */
const PER_ITEM = 20;

/** From the end back to the beginning: a busy page may not have drawn some. */
const ONWARD = `scrollY + innerHeight < document.documentElement.scrollHeight - 1
  ? scrollBy(0, 600) : scrollTo(0, 0)`;

describe('What members write, at the dashboard', () => {
  const { browser, test } = givenDashboard();
  let at: Inspector;
  let ids: number[];

  before(async () => {
    const texts = TEXTS.map((vector, n) => ({
      title: short(`${n} ${vector}`, 180),
      name: short(vector, 48),
      body: TEXTS.slice(n, n + PER_ITEM).join('\n\n'),
    }));
    ids = await reportedRows(test, texts, 'hidden_by_ratings');
    const { poll } = await publish(test, {
      title: 'A poll',
      poll: { question: 'Q?', options: ['A', 'B'] },
    });
    await test.board.context.writes.transaction((tx) =>
      tx.query(
        `INSERT INTO poll (id, root_id, type, question, options, kind, summary,
           duration_hours, secret, created_at, closes_at, counts)
         SELECT it.id, it.id, type, it.text, ARRAY[it.text, 'B'], kind, summary,
           duration_hours, secret, created_at, closes_at, counts
         FROM poll, unnest($2::bigint[], $3::text[]) AS it (id, text)
         WHERE poll.id = $1`,
        [
          (poll as { id: number }).id,
          ids,
          TEXTS.map((vector) => short(vector, 80)),
        ],
      ),
    );
    at = await inspector(browser, test);
  });

  it('would be noticed', async () => {
    const { page } = at;
    await at.open('/queue');
    await page.locator('.queue-row').first().waitFor();
    await page.evaluate(
      `document.querySelector('body .inert').innerHTML = '<img src=x onerror=alert(1)>'`,
    );
    await until(
      'it to run',
      async () => Number(await page.evaluate('window.noticed.length')) > 0,
    );
    expect(await page.evaluate(FOREIGN)).to.have.length.above(1);
  });

  it('never runs in the queue', async () => {
    expect(VECTORS.length).to.be.at.least(250);
    const { page } = at;
    await at.open('/queue');
    const seen = new Set<string>();
    const all = `[...document.querySelectorAll('.queue-row')].map((row) => row.getAttribute('aria-posinset'))`;
    await until('every row to have been shown', async () => {
      for (const n of (await page.evaluate(all)) as string[]) seen.add(n);
      await at.inspect('/queue');
      await page.evaluate(ONWARD);
      return seen.size >= VECTORS.length;
    });
    await recordFaults({ test: 'G6 dashboard', faults: VECTORS.length });
  });

  it('never runs beside a decision', async () => {
    for (const id of ids.filter((_, n) => n % STEP === 0)) {
      await at.open(`/item/message:${id}`);
      await at.page.getByRole('heading', { name: 'Reports' }).waitFor();
      await at.inspect(`item ${id}`);
    }
  });

  it('never runs among the polls', async () => {
    await at.open('/polls?state=all');
    await at.whole('/polls', 'article', VECTORS.length + 1);
  });

  it('never runs among the hidden topics', async () => {
    await at.open('/hidden');
    await at.whole('/hidden', 'article', VECTORS.length);
  });
});
