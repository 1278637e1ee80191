import type { Browser, Locator, Page } from 'playwright-core';
import type { TestBoard } from '../support/board.js';
import { FULL } from '../support/full.js';
import { until } from '../support/until.js';
import { deskOf, settled } from './dashboard-open.js';

/** Vectors of which each gets a page of its own, in the short run. */
export const STEP = FULL ? 1 : 20;

/** What no text of a stranger may turn into, beside what ran or was refused. */
export const FOREIGN = `window.noticed.concat([...document.querySelectorAll(
  'body .inert *:not(span), :is(main, header, [role=dialog]) :is(script, img, iframe, object, embed, video, audio, form[action], base, link, meta, math, [onerror], [onload], a[href^="javascript:" i], a[href^="data:" i])',
)].map((element) => element.outerHTML))`;

export type Inspector = {
  page: Page;
  operatorId: string;
  open(path: string): Promise<void>;
  /** Fails when anything on the page is more than a text. */
  inspect(where: string): Promise<void>;
  whole(where: string, part: string, count: number): Promise<void>;
};

/** An admin's page that notices whatever runs in it. */
export async function inspector(
  browser: Browser,
  test: TestBoard,
): Promise<Inspector> {
  // Without the page's policy: the texts alone must be harmless.
  const desk = await deskOf(browser, test, 'admin', { bypassCSP: true });
  const { page, faults } = desk;
  await desk.context.addInitScript(`window.noticed = [];
    window.alert = () => window.noticed.push('it ran');`);
  const inspect = async (where: string) => {
    expect(await page.evaluate(FOREIGN), where).to.deep.equal([]);
    expect(faults, where).to.deep.equal([]);
  };
  return {
    page,
    operatorId: desk.operatorId,
    inspect,
    open: async (path) => {
      await page.goto(`${test.url}/admin${path}`);
      await settled(page);
    },
    whole: async (where, part, count) => {
      const more = page.getByRole('button', { name: /more/i });
      const shown = async () => {
        await inspect(where);
        if ((await page.locator(part).count()) >= count) return true;
        // It may be gone by then: the page goes on by itself where it can.
        await more.click({ timeout: 1000 }).catch(() => {});
        return false;
      };
      await until(`all of ${where} to be shown`, shown);
      await inspect(where);
    },
  };
}

export async function isInSight(part: Locator): Promise<void> {
  await until('it to be in sight', async () => {
    const box = await part.boundingBox();
    const height = part.page().viewportSize()?.height ?? 0;
    return box !== null && box.y >= 0 && box.y < height - 20;
  });
}

export async function covered(page: Page): Promise<string[]> {
  return (await page.evaluate(`(() => {
    scrollTo(0, 0);
    const note = document.querySelector('.last-done').getBoundingClientRect();
    return [...document.querySelectorAll('a, button, input, select, textarea')]
      .filter((it) => it.closest('.last-done') === null)
      .filter((it) => {
        const box = it.getBoundingClientRect();
        const shown = it.checkVisibility() && box.width > 0;
        return shown && box.left < note.right && box.right > note.left &&
          box.top < note.bottom && box.bottom > note.top;
      })
      .map((it) => it.outerHTML);
  })()`)) as string[];
}

/** A page whose board hears nothing of the work of bulks that it asks for. */
export async function unanswered(page: Page): Promise<void> {
  // By HTTP until its live line is there.
  await page.route('**/do/bulk.run', () => {});
  await page.routeWebSocket(/socket\.io/, (route) => {
    const board = route.connectToServer();
    route.onMessage((text) => {
      if (!String(text).includes('bulk.run')) board.send(text);
    });
  });
}

export async function focused(page: Page): Promise<string> {
  return String(
    await page.evaluate(
      'document.activeElement?.labels?.[0]?.textContent ?? ""',
    ),
  );
}
