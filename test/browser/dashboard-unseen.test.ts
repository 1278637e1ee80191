import type { Page } from 'playwright-core';
import { OperatorPasskey } from '../../server/db/entities/operator.js';
import { Peer } from '../../server/db/entities/peer.js';
import { raiseAlert } from '../../server/operations/alerts.js';
import { inviteCode } from '../admin/access-link.js';
import { publish } from '../support/post.js';
import { rows } from '../support/rows.js';
import { until } from '../support/until.js';
import { FOREIGN } from './dashboard-inspect.js';
import {
  axeFaults,
  type Desk,
  deskOf,
  givenDashboard,
  inColours,
  openAt,
  overflow,
  settled,
} from './dashboard-open.js';
import {
  accountRows,
  decidedRows,
  deviceRows,
  draftRows,
  evidenceRows,
  jobRows,
  operatorRows,
  peerRows,
  reportedRows,
  short,
} from './dashboard-rows.js';

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
  const { browser, test } = givenDashboard({ ROLES: 'api' });
  let desk: Desk;

  before(async () => {
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
    await deviceRows(test, desk.operatorId, TEXTS);
    await accountRows(test, TEXTS);
    await operatorRows(test, desk.operatorId, message.id, TEXTS, 'x');
    await draftRows(test, TEXTS, test.clock.now());
    await jobRows(test, TEXTS, false);
    await desk.context.addInitScript(`window.noticed = [];
      window.alert = () => window.noticed.push('it ran');`);
  });

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
    ['/operators', /^Disable constructor$/],
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

const DAY_MS = 86_400_000;
const FRESH_MS = 11 * 60_000;
const BOARD = '0 fern.example';
/** A phone at night and a desktop, as one dialog is shown in both. */
const LOOKS = [
  [360, 'dark'],
  [1280, 'light'],
] as const;

const DIALOGS: Readonly<Record<string, readonly string[]>> = {
  '': ['?', 'Control+K', `Settle Linked board degraded: ${BOARD}`],
  '/queue': ['Saved views'],
  '/item/message:1': ['Manage templates'],
  [`/mesh?board=${encodeURIComponent(BOARD)}`]: [
    `Block ${BOARD}`,
    `Forget ${BOARD}`,
    'End it now',
  ],
  '/operators': [
    'Disable plover',
    'Sign out plover everywhere',
    'Cancel the link for wren',
  ],
  '/account': [
    'Remove the passkey of my phone',
    'Make new codes',
    'Sign out all others',
  ],
  '/settings/notifications': ['Remove the channel'],
  '/settings/watch-rules': ['Remove the rule'],
  '/usefulness': ['Publish', 'Discard'],
};

describe('The dialogs of the dashboard', () => {
  const { browser, test } = givenDashboard({ ROLES: 'api' });
  let desk: Desk;

  before(async () => {
    await publish(test, { title: 'A topic' });
    await peerRows(test, ['fern.example'], []);
    desk = await deskOf(browser, test, 'admin', { name: 'heron' });
    await deskOf(browser, test, 'viewer', { name: 'plover' });
    await inviteCode(test, 'wren', 'moderator');
    const { writes } = test.board.context;
    const now = test.clock.now();
    const week = now + 7 * DAY_MS;
    await rows(test).updateAll(Peer, { probationUntil: week });
    const detail = 'It has not answered for an hour.';
    const alert = { kind: 'peer_degraded', subject: BOARD, detail } as const;
    await raiseAlert(writes, alert, now);
    await rows(test).insert(OperatorPasskey, {
      ...{ credentialId: Buffer.of(1), publicKey: Buffer.of(0), counter: 0 },
      ...{ operatorId: desk.operatorId, transports: [], createdAt: now },
      label: 'of my phone',
    });
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const kept = {
      ...{ action: 'keep', reason: 'within_rules', explanation: 'Fine.' },
    };
    const rule = { kind: 'words', terms: ['casino'] };
    for (const [name, input] of [
      ['template.save', { name: 'Kept', ...kept }],
      ['view.save', { name: 'Cards', query: 'kind=card' }],
      ['notification.save', { way: 'browser', kinds: ['report'] }],
      ['watch.save', { name: 'Gambling', rule }],
      [
        'usefulness.draft',
        { from: day(now - 7 * DAY_MS), to: day(now), note: '' },
      ],
    ] as const) {
      const { status, text } = await desk.caller.post(`/do/${name}`, input);
      expect(status, `${name}: ${text}`).to.equal(200);
    }
  });
  afterEach(() => expect(desk.faults).to.deep.equal([]));

  const open = async (page: Page, by: string) => {
    const isKey = by === '?' || by.startsWith('Control');
    if (isKey) await page.keyboard.press(by);
    else await page.getByRole('button', { name: by, exact: true }).click();
  };
  /** In both looks, one after the other, without opening it again. */
  const isAccessible = async (page: Page, what: string) => {
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    for (const [width, colours] of LOOKS) {
      await page.setViewportSize({ width, height: 800 });
      await inColours(page, colours);
      const found = await axeFaults(page, '[role="dialog"]');
      expect(found, `${what} at ${width} px`).to.deep.equal([]);
    }
  };

  for (const [path, dialogs] of Object.entries(DIALOGS)) {
    it(`are accessible at /admin${path}`, async () => {
      const { page } = desk;
      await openAt(desk, test, path);
      // A draft is published after its preview.
      if (path === '/usefulness') await open(page, 'Preview');
      if (path.startsWith('/mesh')) await page.getByText('Limits').click();
      for (const by of dialogs) {
        await open(page, by);
        await isAccessible(page, by);
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    });
  }

  it('are accessible where they ask whether it is still you', async () => {
    const { page } = desk;
    test.clock.advance(FRESH_MS);
    await openAt(desk, test, '/operators');
    await page.getByLabel('Name to sign in with').fill('another');
    await open(page, 'Make a link');
    await page.getByRole('dialog', { name: 'Is it still you?' }).waitFor();
    await isAccessible(page, 'the second sign-in');
  });
});
