import { existsSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';
import { oncePerRun } from './cluster.js';
import { HANG_MS } from './full.js';
import { given } from './hooks.js';

/** The test board tells networks apart by what its proxy would say. */
export const READER = { 'X-Forwarded-For': '203.0.113.99' };

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
// As root Chromium has no sandbox; the pages are the tests' own.
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage'];

function places(): [name: string, path: () => Promise<string>][] {
  const { CHROMIUM_PATH: own } = process.env;
  const installed = [...(own === undefined ? [] : [own]), ...INSTALLED]
    .filter((path) => existsSync(path))
    .map((path): [string, () => Promise<string>] => [path, async () => path]);
  return process.platform === 'linux' && process.arch === 'x64'
    ? [['@sparticuz/chromium', unpacked], ...installed]
    : installed;
}

/** It unpacks itself where it is not yet; nobody may start the half of it. */
async function unpacked(): Promise<string> {
  await oncePerRun('chromium', () => sparticuz.executablePath());
  return await sparticuz.executablePath();
}

/** A Chromium for the whole suite. */
export function givenBrowser(): Browser {
  return given(async () => {
    const browser = await openBrowser();
    return { browser, stop: () => browser.close() };
  }).browser;
}

/**
 * Of npm, else an installed one. Without any, tests fail and say so. With
 * `scrollbars` long pages are narrower, as on a desktop.
 */
export async function openBrowser({
  scrollbars = false,
} = {}): Promise<Browser> {
  const failures: string[] = [];
  for (const [name, path] of places()) {
    try {
      const executablePath = await path();
      return await chromium.launch({
        executablePath,
        args: ARGUMENTS,
        ignoreDefaultArgs: scrollbars ? ['--hide-scrollbars'] : [],
        timeout: HANG_MS,
      });
    } catch (error) {
      failures.push(`${name}: ${String(error).split('\n', 2).join(' ')}`);
    }
  }
  throw new Error(
    [
      'No Chromium can run here, so the browser tests cannot tell anything.',
      'Install one (apt-get install chromium) or name it in CHROMIUM_PATH.',
      ...failures,
    ].join('\n'),
  );
}
