import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { report, send } from '../server/moderation/reports/reporting.js';
import { network } from '../server/votes/rating.js';
import { builtDashboard } from '../support/compiled.js';
import { publish } from '../support/post.js';
import { until } from '../support/until.js';
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

const PAGES = [
  ...['', '/queue', '/queue?kind=card', '/item/message:1', '/hidden'],
  ...['/decisions', '/polls', '/polls?state=all', '/usefulness', '/mesh'],
  ...['/system', '/operators', '/account', '/find?q=a1', '/find', '/bulk'],
  '/no-such-page',
];
/** A phone at night, 1280 px at 200 %, a desktop. */
const LOOKS = [
  [360, 'dark'],
  [640, null],
  [1280, 'light'],
] as const;
/** Names of code: no operator says `message:12`, `operator.invite` or `p90`. */
const CODES =
  /\b(?:message|card|poll|operator|bulk|peer):\w|\b(?:subject|report|decision|peer|session|operator)\.[a-z_]+\b|\b[a-z]+(?:_[a-z0-9]+)+\b|\bp9\d\b/;
/** What a page says in its own words: no code, no text of strangers. */
const WORDS = `[...document.querySelectorAll('h1,h2,h3,p,li,dt,dd,td,th,label,button,summary,option,a')]
  .filter((it) => !it.closest('code,pre,.inert,.body,.preview') && it.checkVisibility())
  .map((it) => [...it.childNodes].filter((one) => one.nodeType === 3)
    .map((one) => one.textContent).join(' ')).filter(Boolean)`;
/** Where the header and its parts are, and where a page's title begins. */
const PLACES = `JSON.stringify([...document.querySelectorAll('.header, .wordmark, .header button, .account, h1')]
  .filter((it) => it.checkVisibility())
  .map((it) => { const { x, y } = it.getBoundingClientRect(); return it.matches('h1') ? [x] : [x, y]; }))`;
/** A family is one picture; the joiner between letters is none. */
const EMOJI = '\u{1f468}\u200d\u{1f469}\u200d\u{1f466} a\u200db';
const HOSTILE =
  '<img src=x onerror=alert(1)> \u202egnp.exe\u200b [a](javascript:alert(1))';

describe('The operators’ dashboard in a browser', () => {
  const { browser, test } = givenDashboard();
  let desk: Desk;
  const places = new Map<number, unknown>();

  before(async () => {
    await publish(test, { title: HOSTILE, body: `${HOSTILE} ${EMOJI}` });
    const body = report({ message_id: 1, detail: HOSTILE });
    await send(test, body, network(901)).expect(201);
    desk = await deskOf(browser, test, 'admin');
  });

  it('is at most 300 kB of packed script, all pages together', async () => {
    const assets = path.join(await builtDashboard(), 'assets');
    const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
    expect(scripts).not.to.deep.equal([]);
    const packed = scripts.map(
      (name) => gzipSync(readFileSync(path.join(assets, name))).length,
    );
    const sum = packed.reduce((total, bytes) => total + bytes, 0);
    expect(sum).to.be.at.most(300_000);
  });

  for (const path of PAGES) {
    it(`/admin${path} is accessible, on a phone, magnified and in the dark, under one header`, async () => {
      const { page, faults } = desk;
      await page.goto(`${test.url}/admin${path}`);
      await settled(page);
      expect(await page.locator('h1').count()).to.equal(1);
      const words = (await page.evaluate(WORDS)) as string[];
      expect(words.filter((it) => CODES.test(it))).to.deep.equal([]);
      for (const [width, colours] of LOOKS) {
        await page.setViewportSize({ width, height: 800 });
        await until(
          `nothing at ${width} px to scroll sideways`,
          async () => (await overflow(page)) === 0,
        );
        if (!places.has(width)) {
          places.set(width, await page.evaluate(PLACES));
        }
        // A line that is lost for a moment is said there, too.
        await until(
          `the header of other pages at ${width} px`,
          async () => (await page.evaluate(PLACES)) === places.get(width),
        );
        if (colours === null) continue;
        await inColours(page, colours);
        const found = await axeFaults(page);
        expect(found, `${width} ${colours}`).to.deep.equal([]);
      }
      expect(faults).to.deep.equal([]);
    });
  }

  it('shows what strangers write as text, with the unseen named', async () => {
    const own = await deskOf(browser, test, 'moderator');
    await openAt(own, test, '/item/message:1');
    const body = own.page.getByRole('region', {
      name: 'The text of the message',
    });
    const text = (await body.textContent()) ?? '';
    expect(text).to.include('<img src=x onerror=alert(1)>');
    expect(text).to.include('U+202E').and.to.include('U+200B');
    expect(text).not.to.include('\u202e');
    expect(text.match(/U\+200D/g)).to.have.length(1);
    expect(await body.locator('img, a, script').count()).to.equal(0);
    expect(own.faults).to.deep.equal([]);
    await own.context.close();
  });
});
