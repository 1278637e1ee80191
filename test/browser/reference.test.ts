import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { HtmlValidate } from 'html-validate';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.js';
import type { OpenApi } from '../support/described.js';
import { HANG_MS } from '../support/full.js';
import { givenBoard } from '../support/hooks.js';

const { resolve } = createRequire(import.meta.url);

describe('the pages of the reference', () => {
  const test = givenBoard();

  it('is sound HTML', async () => {
    const validator = new HtmlValidate({
      extends: ['html-validate:standard', 'html-validate:a11y'],
      rules: {
        'no-trailing-whitespace': 'off',
        'long-title': 'off',
        'doctype-style': 'off',
        'no-raw-characters': 'off', // a bare > is text
        'attribute-boolean-style': 'off',
      },
    });
    const { text } = await test.as().get('/openapi.json');
    const groups = (JSON.parse(text) as OpenApi).tags.map(
      ({ name }) => `/reference/${name.toLowerCase()}`,
    );
    for (const path of ['/reference', ...groups]) {
      const { text: page } = await test.as().get(path).expect(200);
      const { results } = await validator.validateString(page);
      const told = results.flatMap(({ messages }) =>
        messages.map(
          ({ ruleId, message, line }) => `${ruleId} ${line} ${message}`,
        ),
      );
      expect([...new Set(told)].slice(0, 20), path).to.deep.equal([]);
    }
  });

  let browser: Browser;

  before(async () => {
    browser = await openBrowser();
  });

  after(() => browser.close());

  const open = async (
    path: string,
    colorScheme: 'light' | 'dark',
    width: number,
    work: (page: Page) => Promise<void>,
  ) => {
    const context = await browser.newContext({
      colorScheme,
      viewport: { width, height: 740 },
      extraHTTPHeaders: { 'X-Forwarded-For': '203.0.113.99' },
    });
    context.setDefaultTimeout(HANG_MS);
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const told: string[] = [];
    page.on('console', (message) => told.push(message.text()));
    await page.goto(`${test.url}${path}`);
    await work(page);
    expect(asked.filter((url) => !url.startsWith(test.url))).to.satisfy(
      (urls: string[]) => urls.every((url) => url.startsWith('data:')),
    );
    const known = /data:,|Unrecognized feature/; // of an older browser
    expect(told.filter((text) => !known.test(text))).to.deep.equal([]);
    await context.close();
  };

  for (const [path, scheme] of [
    ['/reference', 'light'],
    ['/reference/posting', 'light'],
    ['/reference/posting', 'dark'],
  ] as const) {
    it(`is readable on a phone, ${path}, ${scheme}, without an axe violation`, async () => {
      await open(path, scheme, 360, async (page) => {
        const wide = await page.evaluate(
          'document.documentElement.scrollWidth - innerWidth',
        );
        expect(wide).to.be.at.most(0);
        await page.evaluate(
          "for (const it of document.querySelectorAll('details')) it.open = true",
        );
        const opened = await page.evaluate(
          'document.documentElement.scrollWidth - innerWidth',
        );
        expect(opened).to.be.at.most(0);
        await page.evaluate(readFileSync(resolve('axe-core'), 'utf8'));
        const faults = await page.evaluate(
          "axe.run().then(({ violations }) => violations.map((it) => it.id + ' ' + it.nodes.slice(0, 3).map((n) => n.html.slice(0, 120)).join(' | ')))",
        );
        expect(faults).to.deep.equal([]);
      });
    });
  }
});
