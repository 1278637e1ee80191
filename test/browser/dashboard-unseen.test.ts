import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import type { TestBoard } from '../support/board.js';
import { openBrowser } from '../support/browser.js';
import { publish } from '../support/post.js';
import { randomBytes, randomUUID } from '../support/random.js';
import { until } from '../support/until.js';
import {
  decidedRows,
  evidenceRows,
  peerRows,
} from './dashboard-foreign-rows.js';
import { FOREIGN, short } from './dashboard-inspect.js';
import {
  type Desk,
  dashboardBoard,
  deskOf,
  overflow,
  settled,
} from './dashboard-open.js';
import { reportedRows } from './dashboard-rows.js';

const MARKUP = '<img src=x onerror=alert(1)>';
/** Turned around, joined, filled up, tagged: each shows as something else. */
const TEXTS = [
  `a\u202egnp.exe\u202c ${MARKUP}`,
  `b\u2066x\u2067y\u2069 [x](javascript:alert(1))`,
  `c\u200bd\u200de\ufefff\u00adg " onmouseover="alert(1)`,
  `h${String.fromCodePoint(0xe0041, 0xe0042)}\u3164\u2800i`,
  `javascript:alert(1)//\u200f\u061c`,
  `${'W'.repeat(300)}`,
  `${'\u0301'.repeat(300)}j`,
];

/** What is in the page as a letter that nobody sees, and not by its name. */
const UNSEEN = `(() => {
  const unseen = /[\\u00ad\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2066-\\u2069\\u2800\\u3164\\ufeff\\u{e0000}-\\u{e007f}]/u;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (parentElement.closest('script, style')) continue;
    if (unseen.test(data)) found.push(parentElement.outerHTML.slice(0, 200));
  }
  return found;
})()`;

describe('Letters that nobody sees, at the dashboard', () => {
  let browser: Browser;
  let test: TestBoard;
  let desk: Desk;

  before(async () => {
    browser = await openBrowser();
    test = await dashboardBoard({ ROLES: 'api' });
    const { message } = await publish(test, { title: 'A topic' });
    const rows = TEXTS.map((text) => ({
      title: short(text, 180),
      name: short(text, 48),
      body: text,
    }));
    await reportedRows(test, rows, 'hidden_by_ratings');
    await decidedRows(test, message.id, TEXTS);
    await peerRows(test, TEXTS, [TEXTS.join('\n')]);
    await evidenceRows(test, TEXTS);
    desk = await deskOf(browser, test, 'admin', { bypassCSP: true });
    await operatorRows(desk);
    await desk.context.addInitScript(`window.noticed = [];
      window.alert = () => window.noticed.push('it ran');`);
  });

  after(async () => {
    await browser?.close();
    await test?.stop();
  });

  /** What operators and the node itself wrote, as nothing had looked at it. */
  async function operatorRows({ operatorId }: Desk): Promise<void> {
    const { writes } = test.board.context;
    const now = test.clock.now();
    const write = (sql: string, ...more: unknown[]) =>
      writes.transaction((tx) => tx.query(sql, [TEXTS, now, ...more]));
    const texts = 'unnest($1::text[]) WITH ORDINALITY AS it (text, n)';
    await write(
      `INSERT INTO operator (id, name, alias, role, state, created_at)
       SELECT gen_random_uuid(), 'op' || n, left(text, 40) || n, 'viewer',
         'active', $2::bigint FROM ${texts}`,
    );
    await write(
      `INSERT INTO operator_session (id, token_hash, operator_id, label,
         method, created_at, seen_at, expires_at, credential_at)
       SELECT gen_random_uuid(), sha256(convert_to(text, 'UTF8')), $3::uuid, left(text, 60),
         'passkey', $2::bigint, $2::bigint, $2::bigint + 9000000, $2::bigint
       FROM ${texts}`,
      operatorId,
    );
    await write(
      `INSERT INTO operator_passkey (credential_id, operator_id, public_key,
         counter, transports, label, created_at)
       SELECT convert_to(text, 'UTF8'), $3::uuid, '\\x00', 0, '{}', left(text, 60), $2::bigint
       FROM ${texts}`,
      operatorId,
    );
    await write(
      `INSERT INTO saved_view (operator_id, name, query, created_at)
       SELECT $3::uuid, left(text, 60), left(text, 2000), $2::bigint FROM ${texts}`,
      operatorId,
    );
    await write(
      `INSERT INTO usefulness_report (id, period_start, period_end, metrics,
         note, operator, created_at, published_at)
       SELECT 100 + n, $2::bigint - 9000000, $2::bigint, '{}', text, left(text, 48), $2::bigint, $2::bigint
       FROM ${texts}`,
    );
    await write(
      `INSERT INTO job_run (name, started_at, duration_ms, rows, error,
         failures, instance)
       SELECT 'job ' || n, $2::bigint, 1, 1, text, 1, $3::text FROM ${texts}`,
      randomUUID(),
    );
    await write(
      `INSERT INTO operator_audit (id, at, operator_id, operator, session_id,
         action, subject, before, after, previous, hash)
       SELECT 1000 + n, $2::bigint, NULL, left(text, 48), NULL, 'x', text,
         to_json(text)::text, to_json(text)::text, $3::bytea, $3::bytea FROM ${texts}`,
      randomBytes(32),
    );
  }

  async function inspect(where: string): Promise<void> {
    const { page, faults } = desk;
    expect(await page.evaluate(FOREIGN), where).to.deep.equal([]);
    expect(await page.evaluate(UNSEEN), where).to.deep.equal([]);
    expect(faults, where).to.deep.equal([]);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await until(
        `nothing of ${where} at ${width} px to scroll sideways`,
        async () => (await overflow(page)) === 0,
      );
    }
  }

  const PAGES = [
    ...['', '/queue', '/hidden', '/decisions', '/polls?state=all', '/mesh'],
    ...['/usefulness', '/system', '/operators', '/account'],
    ...['/item/message:1', '/item/message:1000', '/item/message:1005'],
    `/find?q=${encodeURIComponent(TEXTS[0] ?? '')}`,
    `/decisions?operator=${encodeURIComponent(TEXTS[0] ?? '')}`,
    `/item/message:${encodeURIComponent(TEXTS[0] ?? '')}`,
  ];
  for (const path of PAGES) {
    it(`are named at /admin${path.replace(/%.*/, '…')}`, async () => {
      const { page } = desk;
      await page.goto(`${test.url}/admin${path}`);
      await settled(page);
      await inspect(path);
    });
  }

  const DIALOGS: [path: string, button: RegExp][] = [
    ['/queue', /^Saved views/],
    ['/item/message:1', /^Manage templates/],
    ['/account', /^Remove the passkey/],
    ['/operators', /^Disable op1$/],
  ];
  for (const [path, button] of DIALOGS) {
    it(`are named at ${path} in the dialog of ${button.source.replace(/[$^]/g, '')}`, async () => {
      const { page } = desk;
      await page.goto(`${test.url}/admin${path}`);
      await settled(page);
      await page.getByRole('button', { name: button }).first().click();
      await page.getByRole('dialog').waitFor();
      await inspect(path);
    });
  }

  it('are named where a board is blocked', async () => {
    const { page } = desk;
    await page.goto(`${test.url}/admin/mesh`);
    await settled(page);
    await page.locator('tbody button', { hasText: /^0 / }).click();
    await page.getByRole('button', { name: /^Block / }).click();
    await page.getByRole('dialog').waitFor();
    await inspect('the block of a board');
  });
});
