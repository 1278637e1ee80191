import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { firstLink } from '../admin/access-link.js';
import { openBrowser } from '../support/browser.js';
import { TestClock } from '../support/clock.js';
import { startCluster, stopCluster } from '../support/cluster.js';
import { type FurnishedDesk, furnishedDesk } from './dashboard-furnished.js';
import {
  type Desk,
  dashboardBoard,
  deskOf,
  inColours,
  settled,
  watchedPage,
} from './dashboard-open.js';
import { PEER } from './pages-mirrored.js';
import { SCHEMES, SIZES } from './pages-pictures.js';

type Shot = [name: string, address: string, before?: (page: Page) => unknown];

export function shotsOf({ roots }: FurnishedDesk): Shot[] {
  const item = (key: string) => `/item/message:${roots.get(key)}`;
  const preview = async (page: Page) => {
    await page.getByLabel('What to do').selectOption('remove');
    await page.getByLabel('Template').selectOption('Spam');
    await page.getByLabel('how many').fill('4');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('region', { name: 'Exact public preview' }).waitFor();
    await page.evaluate('scrollTo(0, 0)');
  };
  return [
    ['overview', ''],
    ['queue', '/queue'],
    ['item', item('poll'), preview],
    ['hidden', '/hidden'],
    ['decisions', '/decisions'],
    ['polls', '/polls?state=all'],
    ['usefulness', '/usefulness'],
    ['mesh', '/mesh'],
    ['mesh-board', `/mesh?board=${PEER}`],
    ['system', '/system'],
    ['operators', '/operators'],
    ['account', '/account'],
  ];
}

async function takeAll(
  folder: string,
  { page }: Pick<Desk, 'page'>,
  url: string,
  shots: readonly Shot[],
): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    for (const [name, address, before] of shots) {
      await page.goto(`${url}/admin${address}`);
      await settled(page);
      await before?.(page);
      for (const colours of SCHEMES) {
        await inColours(page, colours);
        const file = `admin-${name}-${size}-${colours}.png`;
        await page.screenshot({ path: path.join(folder, file) });
      }
    }
  }
}

async function takeTheDoor(folder: string, browser: Browser): Promise<void> {
  const test = await dashboardBoard({}, new TestClock(Date.now()));
  const link = new URL(await firstLink(test));
  const address = link.pathname.replace('/admin', '') + link.hash;
  const watched = await watchedPage(browser, test);
  await takeAll(folder, watched, test.url, [
    ['sign-in', ''],
    ['set-up', address],
  ]);
  await test.stop();
}

/** Writes `admin-<name>-<size>-<scheme>.png` files of every page. */
export async function takeDashboardPictures(
  folder: string,
  only: readonly string[],
): Promise<void> {
  await startCluster();
  try {
    const furnished = await furnishedDesk(
      new TestClock(Date.UTC(2026, 10, 21, 9, 30)),
    );
    const { test } = furnished;
    const browser = await openBrowser();
    const desk = await deskOf(browser, test, 'admin', { name: 'ibis' });
    // Nothing is as old as the hour of the day makes it.
    await desk.page.clock.setFixedTime(test.clock.now());
    const shots = shotsOf(furnished).filter(
      ([name]) =>
        only.length === 0 || only.includes(name) || only.includes('all'),
    );
    await takeAll(folder, desk, test.url, shots);
    if (only.length === 0 || only.includes('all'))
      await takeTheDoor(folder, browser);
    await browser.close();
    await furnished.stop();
  } finally {
    await stopCluster();
  }
}
