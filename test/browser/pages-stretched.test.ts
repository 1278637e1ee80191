import type { Page } from 'playwright-core';
import { LIFTED_KEYS } from '../support/agent.js';
import { givenBrowser, READER } from '../support/browser.js';
import { decideTo } from '../support/decide.js';
import { HANG_MS } from '../support/full.js';
import { givenBoard } from '../support/hooks.js';
import { type Post, publish } from '../support/post.js';
import { randomUUID } from '../support/random.js';
import { mirroredBoard, PEER } from './pages-mirrored.js';

const NARROW = { width: 320, height: 640 };
const MARK = '\u0301';
const FAMILY = '👨‍👩‍👧‍👦';
const WORD = 'W'.repeat(180);
const ARABIC = 'ملاحظات حول ترتيب الرسائل في السجلّ ';
const ROW = `| ${'cell | '.repeat(40)}`;

const POLL = {
  question: 'Q'.repeat(180),
  options: ['A'.repeat(80), `${MARK.repeat(79)}b`, FAMILY.repeat(11)],
};

/** Texts that push, pile up or turn around what is beside them. */
const TEXTS: Readonly<Record<string, Post>> = {
  'one word': {
    title: WORD,
    name: 'n'.repeat(48),
    body: 'w'.repeat(4000),
    poll: POLL,
  },
  'piled marks': {
    title: `a${MARK.repeat(179)}`,
    name: `a${MARK.repeat(47)}`,
    body: `a${MARK.repeat(3999)}`,
  },
  'right to left': {
    title: ARABIC.repeat(5).slice(0, 180).trim(),
    name: 'كاتب'.repeat(12),
    body: `${ARABIC.repeat(40)}\n\n- ${ARABIC}\n\n> ${ARABIC}\n\n\`${WORD}\``,
  },
  families: {
    title: FAMILY.repeat(25),
    name: FAMILY.repeat(6),
    body: FAMILY.repeat(500),
  },
  'deep Markdown': {
    title: '#'.repeat(180),
    body: `${'> '.repeat(40)}quoted\n\n${Array.from({ length: 40 }, (_, at) => `${'  '.repeat(at)}- level ${at}`).join('\n')}\n\n${'- '.repeat(40)}listed\n\n${'*'.repeat(40)}strong${'*'.repeat(40)}`,
  },
  'a table of pipes': {
    title: '|'.repeat(180),
    name: '|'.repeat(48),
    body: `${ROW}\n|${'---|'.repeat(40)}\n${`${ROW}\n`.repeat(6)}\n\n${'|'.repeat(1500)}`,
  },
  'code and links': {
    title: `https://example.org/${'p'.repeat(150)}`,
    body: `https://example.org/${'p'.repeat(900)}\n\n\`${'c'.repeat(900)}\`\n\n\`\`\`\n${'c'.repeat(900)}\n\`\`\`\n\n[${WORD}](https://example.org/${'q'.repeat(200)})`,
  },
};

/** What is wider than the page and cannot be scrolled or cut where it is. */
const OUTSIDE = `(() => {
  const wide = document.documentElement.offsetWidth + 1;
  const found = [];
  const kept = (element) => {
    for (let at = element.parentElement; at; at = at.parentElement) {
      if (getComputedStyle(at).overflowX !== 'visible') return true;
    }
    return false;
  };
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility()) continue;
    const { left, right, width } = element.getBoundingClientRect();
    if (width > 1 && (right > wide || left < -1) && !kept(element)) {
      found.push(element.outerHTML.slice(0, 120));
    }
  }
  if (document.documentElement.scrollWidth >= wide) found.push('the page scrolls');
  return found.slice(0, 3);
})()`;

/** The first letters of a text, as far as they are from both sides. */
const SIDES = `(() => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector('.opening > .body > p'));
  const page = document.querySelector('.opening').getBoundingClientRect();
  const [first] = range.getClientRects();
  return { left: first.left - page.left, right: page.right - first.right };
})()`;

describe('Texts that stretch a page of 320 px', () => {
  const browser = givenBrowser();
  let peer: { stop(): Promise<void> };
  after(() => peer.stop());
  const test = givenBoard({
    lifted: true,
    limits: {
      ...LIFTED_KEYS,
      reports_per_network_10_minutes: 100,
      reports_per_network_day: 100,
    },
  });
  let page: Page;
  const addresses: string[] = [];
  const roots = new Map<string, number>();
  const ran: string[] = [];

  before(async () => {
    for (const [name, post] of Object.entries(TEXTS)) {
      const { message } = await publish(test, post);
      roots.set(name, message.id);
      const { title: _, poll: __, ...words } = post;
      // As deep as replies go, and one deeper.
      let parent = message.id;
      for (let level = 0; level < 4; level += 1) {
        const reply = { ...words, reply_to: parent };
        parent = (await publish(test, reply)).message.id;
      }
      addresses.push(`/t/${message.id}`, `/report?message=${parent}`);
      const id = randomUUID();
      await test
        .as()
        .post('/api/reports')
        .send({
          ...{ request_id: id, kind: 'report', reason: 'other' },
          ...{ message_id: parent, detail: words.body?.slice(0, 2000) },
        })
        .expect(201);
      addresses.push(`/report/${id}`);
      await decideTo.remove(test, parent, {
        explanation: words.body?.slice(0, 900) ?? '',
        operator: name,
      });
    }
    const mirrored = await mirroredBoard(test, Object.values(TEXTS));
    ({ peer } = mirrored);
    addresses.push(
      ...mirrored.roots.map((id) => `/mesh/${PEER}/t/${id}`),
      ...['/', '/?sort=new', '/top', '/mesh', `/mesh/${PEER}`],
      ...['/moderation', '/search', '/connect', '/report'],
      ...['/rules.md', '/protocol.md', '/skill.md', '/identity.md'],
      ...['/mesh.md', '/verify.md', '/governance-reference.md'],
      ...['/reference', '/reference/posting', `/nothing/${WORD}`],
      ...['www', 'W', `a${MARK}`, FAMILY, 'ملاحظات', '||', 'cell'].map(
        (q) => `/search?q=${encodeURIComponent(q)}`,
      ),
      `/search?q=${WORD.slice(0, 100)}`,
      `/moderation?operator=${WORD}`,
    );
    const context = await browser.newContext({
      viewport: NARROW,
      extraHTTPHeaders: { ...READER, Accept: 'text/html' },
    });
    context.setDefaultTimeout(HANG_MS);
    page = await context.newPage();
    page.on('dialog', (dialog) => ran.push(dialog.message()));
    page.on('pageerror', (error) => ran.push(String(error)));
  });

  it('stay within every public page, and run nothing', async () => {
    for (const path of addresses) {
      await page.goto(`${test.url}${path}`);
      const shown = path.slice(0, 60);
      expect(await page.evaluate(OUTSIDE), shown).to.deep.equal([]);
      expect(await page.locator('footer.site').count(), shown).to.equal(1);
    }
    expect(ran).to.deep.equal([]);
  });

  it('leave room for what is folded', async () => {
    for (const path of [
      '/?sort=new&visibility=hidden',
      '/search',
      '/moderation',
    ]) {
      await page.goto(`${test.url}${path}`);
      const folds = page.locator('main summary');
      for (const fold of await folds.all()) {
        await fold.click();
        expect(await page.evaluate(OUTSIDE), path).to.deep.equal([]);
      }
      expect(await folds.count(), path).to.be.above(0);
    }
  });

  it('keep piled marks to their own text', async () => {
    const id = roots.get('piled marks');
    await page.goto(`${test.url}/t/${id}`);
    const cut = await page.evaluate(
      '[...document.querySelectorAll("h1, .opening .body, .opening .author")].map((it) => getComputedStyle(it).overflowY)',
    );
    expect(cut).to.deep.equal(['clip', 'clip', 'clip']);
  });

  it('begin on the side of their script', async () => {
    const sidesOf = async (name: string) => {
      await page.goto(`${test.url}/t/${roots.get(name)}`);
      return (await page.evaluate(SIDES)) as { left: number; right: number };
    };
    expect((await sidesOf('right to left')).right).to.be.below(2);
    expect((await sidesOf('one word')).left).to.be.below(2);
  });
});
