import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Role } from '../../server/dashboard/roles.js';
import { Browser as Caller } from '../admin/access-browser.js';
import { device } from '../admin/access-link.js';
import { startBoard, type TestBoard } from '../support/board.js';
import { openBrowser, READER } from '../support/browser.js';
import { TestClock } from '../support/clock.js';
import { builtDashboard } from '../support/compiled.js';
import { freePort } from '../support/free-port.js';
import { HANG_MS } from '../support/full.js';
import { given } from '../support/hooks.js';
import { until } from '../support/until.js';

const AXE = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);
const PLENTY = 1_000_000;

export const REPORTS_LIFTED = {
  reports_per_network_10_minutes: PLENTY,
  reports_per_network_day: PLENTY,
  reports_per_board_day: PLENTY,
};

export async function dashboardBoard(
  env: Record<string, string> = {},
  clock = new TestClock(),
): Promise<TestBoard> {
  return await startBoard({
    clock,
    dashboard: await builtDashboard(),
    lifted: true,
    limits: REPORTS_LIFTED,
    env: { BASE_URL: 'http://localhost:0', ...env },
  });
}

/** A Chromium and a board for the whole suite; `env` may have to be found. */
export function givenDashboard(
  env: Env | (() => Promise<Env>) = {},
  clock?: TestClock,
): { browser: Browser; test: TestBoard } {
  return given(async () => {
    const browser = await openBrowser();
    const settings = typeof env === 'function' ? await env() : env;
    const test = await dashboardBoard(settings, clock);
    const stop = async () => {
      await browser.close();
      await test.stop();
    };
    return { browser, test, stop };
  });
}

/** For a board that takes forms from its own address only. */
export async function atItsAddress(host = 'localhost'): Promise<Env> {
  const port = String(await freePort());
  return { PORT: port, BASE_URL: `http://${host}:${port}` };
}

type Env = Record<string, string>;

export type Desk = {
  context: BrowserContext;
  page: Page;
  caller: Caller;
  operatorId: string;
  sessionId: string;
  faults: string[];
};

type Options = {
  width?: number;
  colorScheme?: 'light' | 'dark';
  bypassCSP?: boolean;
  locale?: string;
};

export async function watchedPage(
  browser: Browser,
  test: Pick<TestBoard, 'url'>,
  {
    width = 1280,
    colorScheme = 'light',
    bypassCSP = false,
    // Without one Chromium takes the machine's, which may be none of the web's.
    locale = 'en-GB',
  }: Options = {},
): Promise<Pick<Desk, 'context' | 'page' | 'faults'>> {
  const viewport = { width, height: 800 };
  const context = await browser.newContext({
    viewport,
    colorScheme,
    bypassCSP,
    extraHTTPHeaders: READER,
    locale,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(HANG_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (line) => {
    if (/Content Security|Trusted ?Type|TrustedHTML/i.test(line.text())) {
      faults.push(line.text());
    }
  });
  page.on('request', (request) => {
    const { protocol, host } = new URL(request.url());
    const own = host === new URL(test.url).host;
    if (!own && protocol !== 'data:') faults.push(`asks ${request.url()}`);
  });
  return { context, page, faults };
}

export async function deskOf(
  browser: Browser,
  test: TestBoard,
  role: Role,
  options: Options & { name?: string } = {},
): Promise<Desk> {
  const signedIn = await device(test, role, options.name);
  const { cookie, operatorId, sessionId } = signedIn;
  const watched = await watchedPage(browser, test, options);
  const [name = '', value = ''] = (cookie ?? '').split('=');
  await watched.context.addCookies([{ name, value, url: test.url }]);
  const caller = new Caller(test, { origin: test.url });
  caller.cookie = cookie;
  return { ...watched, caller, operatorId, sessionId };
}

/** Waits for heading, live data, and what was read before to be read again. */
export async function openAt(
  { page }: Pick<Desk, 'page'>,
  test: TestBoard,
  path: string,
): Promise<void> {
  await page.goto(`${test.url}/admin${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await settled(page);
}

export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await until(
    'the page to have its answers',
    async () => (await page.locator('[aria-busy=true]').count()) === 0,
  );
}

export async function overflow(page: Page): Promise<number> {
  const { scrollWidth, clientWidth } = (await page.evaluate(
    '(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)',
  )) as { scrollWidth: number; clientWidth: number };
  return scrollWidth - clientWidth;
}

/** Turns a page light or dark, as the system's switch does. */
export async function inColours(
  page: Page,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await until(
    `the page to be ${colorScheme}`,
    async () =>
      (await page.locator('html').getAttribute('data-mantine-color-scheme')) ===
      colorScheme,
  );
}

type Violation = {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
};

/** By axe-core, evaluated, as the policy lets no script in. */
export async function axeFaults(
  page: Page,
  part = 'html',
  rules: object = {},
): Promise<string[]> {
  await page.evaluate(AXE);
  const found = (await page.evaluate(
    `axe.run(${JSON.stringify(part)}, ${JSON.stringify({ resultTypes: ['violations'], rules })}).then((r) => r.violations)`,
  )) as Violation[];
  return found.map(
    ({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
  );
}
