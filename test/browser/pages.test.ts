import { HtmlValidate } from 'html-validate';
import type { Browser } from 'playwright-core';
import { openBrowser, READER } from '../support/browser.js';
import type { OpenApi } from '../support/described.js';
import { freePort } from '../support/free-port.js';
import { FULL, HANG_MS } from '../support/full.js';
import { until } from '../support/until.js';
import { axeFaults } from './dashboard-open.js';
import { type Furnished, furnishedBoard } from './pages-furnished.js';
import { pagesOf, SCHEMES, SIZES } from './pages-pictures.js';

/** Targets of 24 px are asked for by WCAG 2.2, and by axe only when named. */
const TARGETS = { 'target-size': { enabled: true } };

/** What an operation says of itself is folded. */
const UNFOLD =
  "for (const it of document.querySelectorAll('main details')) it.open = true";

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // As the renderers write it, `<br/>` here and `<br>` there, `>` as it is:
    // all of it is HTML.
    'void-style': 'off',
    'no-raw-characters': 'off',
    'doctype-style': ['error', { style: 'lowercase' }],
    // A topic's title of 180 characters, and the board's.
    'long-title': ['error', { maxlength: 260 }],
  },
});

describe('The pages in a browser', () => {
  let furnished: Furnished;
  let browser: Browser;
  let pages: [name: string, path: string][];

  before(async () => {
    browser = await openBrowser();
    // A form is taken from the board's own address only.
    const port = String(await freePort());
    const env = { PORT: port, BASE_URL: `http://127.0.0.1:${port}` };
    furnished = await furnishedBoard({ env });
    pages = Object.entries(pagesOf(furnished));
  });
  after(async () => {
    await browser?.close();
    await furnished?.stop();
  });

  const newPage = async (own = browser) => {
    const page = await own.newPage({ extraHTTPHeaders: READER });
    page.setDefaultTimeout(HANG_MS);
    return page;
  };

  for (const [n, [size, viewport]] of Object.entries(SIZES).entries()) {
    for (const [m, colorScheme] of SCHEMES.entries()) {
      // Each size and each scheme once; all pairs in the long version.
      if (!FULL && n % SCHEMES.length !== m) continue;
      it(`are accessible on a ${size} in ${colorScheme}, and keep to it`, async () => {
        const context = await browser.newContext({
          viewport,
          colorScheme,
          extraHTTPHeaders: READER,
        });
        context.setDefaultTimeout(HANG_MS);
        const page = await context.newPage();
        const faults: string[] = [];
        page.on('console', (line) => {
          // A page that is not found is an error of its own kind.
          if (/status of 4\d\d/.test(line.text())) return;
          if (line.type() === 'error') faults.push(line.text());
        });
        page.on('pageerror', (error) => faults.push(String(error)));
        page.on('request', (request) => {
          const { origin } = new URL(request.url());
          if (origin !== furnished.test.url && origin !== 'null') {
            faults.push(`asks ${request.url()}`);
          }
        });
        for (const [name, path] of pages) {
          await page.goto(`${furnished.test.url}${path}`);
          if (path.startsWith('/reference')) await page.evaluate(UNFOLD);
          const wide = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.offsetWidth',
          );
          expect(wide, `${name}: scrolls sideways`).to.equal(0);
          expect(await axeFaults(page, 'html', TARGETS), name).to.deep.equal(
            [],
          );
          expect(faults, name).to.deep.equal([]);
        }
        await context.close();
      });
    }
  }

  for (const width of [360, 1440]) {
    it(`have their header at one place, ${width} px wide`, async () => {
      const desktop = await openBrowser({ scrollbars: true });
      const page = await newPage(desktop);
      await page.setViewportSize({ width, height: 900 });
      const places = new Map<string, string>();
      for (const [name, path] of pages) {
        await page.goto(`${furnished.test.url}${path}`);
        const header = page.locator('header.site');
        const links = await header.getByRole('link').all();
        const boxes = await Promise.all(
          [header, ...links].map((part) => part.boundingBox()),
        );
        const main = await page.locator('main').boundingBox();
        places.set(JSON.stringify([boxes, main?.x]), name);
      }
      await desktop.close();
      expect([...places], 'places, each of a page').to.have.lengthOf(1);
    });
  }

  it('are valid HTML', async () => {
    const { body } = await furnished.test.as().get('/openapi.json');
    const groups = (body as OpenApi).tags.map(({ name }): [string, string] => [
      name,
      `/reference/${name.toLowerCase()}`,
    ]);
    for (const [name, path] of [...pages, ...groups]) {
      const { text } = await furnished.test
        .get(path)
        .set('Accept', 'text/html');
      const report = await validator.validateString(text);
      const messages = report.results.flatMap((result) => result.messages);
      expect(
        messages.map(({ ruleId, message }) => `${ruleId}: ${message}`),
        name,
      ).to.deep.equal([]);
    }
  });

  it('can be used from the keyboard, the content first', async () => {
    const page = await newPage();
    await page.goto(`${furnished.test.url}/`);
    await page.keyboard.press('Tab');
    const focused = () =>
      page.evaluate('document.activeElement.textContent.trim()');
    expect(await focused()).to.equal('Skip to the content');
    const outline = await page.evaluate(
      'getComputedStyle(document.activeElement).outlineStyle',
    );
    expect(outline).to.equal('solid');
    await page.keyboard.press('Enter');
    await until(
      'the focus to be in the content',
      async () => (await page.evaluate('document.activeElement.id')) === 'main',
    );
    await page.keyboard.press('Tab');
    expect(await focused()).to.equal('Connect your agent');
    await page.close();
  });

  it('begin with a topic on a phone, and choose without script', async () => {
    const page = await newPage();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${furnished.test.url}/`);
    const box = await page.locator('li.card').first().boundingBox();
    expect((box?.y ?? 740) + (box?.height ?? 0)).to.be.below(740);
    await page.locator('summary', { hasText: 'All rooms' }).click();
    await page.getByRole('link', { name: 'Questions' }).first().click();
    await page.waitForURL(/room=questions/);
    await page.close();
  });

  it('show what a reply answers when its link is focused', async () => {
    const page = await newPage();
    const chain = furnished.roots.get('chain');
    await page.goto(`${furnished.test.url}/t/${chain}`);
    const link = page.locator('.answers > a').first();
    const quote = page.locator('.quote').first();
    expect(await quote.isVisible()).to.equal(false);
    await link.focus();
    expect(await quote.isVisible()).to.equal(true);
    await page.locator('.replies > summary').first().click();
    expect(await link.isVisible()).to.equal(false);
    await page.close();
  });

  it('go to the message of a permalink, and mark it', async () => {
    const page = await newPage();
    const { root_id: root, id } = furnished.last;
    await page.goto(`${furnished.test.url}/t/${root}?message=${id}#m${id}`);
    await until('the message to be in sight', () =>
      page.evaluate<boolean>(
        `(() => { const box = document.getElementById('m${id}').getBoundingClientRect();
          return box.top >= 0 && box.top < innerHeight; })()`,
      ),
    );
    await page.close();
  });

  it('show a feed in a style, its addresses as text', async () => {
    const page = await newPage();
    await page.goto(`${furnished.test.url}/feed.atom`);
    const shown = await page.evaluate(
      'getComputedStyle(document.documentElement, "::before").content',
    );
    expect(shown).to.contain('This is a feed.');
    await page.close();
  });
});
