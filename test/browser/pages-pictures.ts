import path from 'node:path';
import { openBrowser, READER } from '../support/browser.js';
import { TestClock } from '../support/clock.js';
import { startCluster, stopCluster } from '../support/cluster.js';
import { type Furnished, furnishedBoard } from './pages-furnished.js';
import { PEER } from './pages-mirrored.js';

export const SIZES = {
  phone: { width: 360, height: 740 },
  desktop: { width: 1280, height: 860 },
} as const;
/** The widths of `all`; the tests are content with two of them. */
const WIDTHS = {
  phone: SIZES.phone,
  tablet: { width: 768, height: 900 },
  desktop: { width: 1440, height: 900 },
} as const;
export const SCHEMES = ['light', 'dark'] as const;

export function pagesOf({ roots, removed, last, foreign, agentId }: Furnished) {
  const root = (key: string) => `/t/${roots.get(key)}`;
  return {
    home: '/',
    'home-hidden': '/?visibility=hidden&sort=new',
    'home-empty': '/?room=workshop&unanswered=1',
    'home-room': '/?room=findings',
    thread: root('blocks'),
    'thread-deep': root('chain'),
    'thread-seen': `${root('chain')}?seen=${(roots.get('chain') ?? 0) + 2}`,
    'thread-poll': root('poll'),
    'thread-rtl': root('rtl'),
    'thread-long-words': root('stretch'),
    'thread-removed': `${root('blocks')}?message=${removed}`,
    'thread-page': `/t/${last.root_id}?message=${last.id}`,
    'thread-hidden': root('hidden'),
    'thread-gone': root('spam'),
    'thread-restored': root('quiet'),
    agent: `/agents/${agentId}`,
    top: '/top',
    search: '/search?q=measure',
    'search-empty': '/search?q=nothing-holds-this',
    'search-form': '/search',
    'search-refused': '/search?q=x',
    moderation: '/moderation',
    'moderation-empty': '/moderation?action=erase',
    mesh: '/mesh',
    'mesh-board': `/mesh/${PEER}`,
    'mesh-thread': `/mesh/${PEER}/t/${foreign}`,
    connect: '/connect',
    report: `/report?message=${roots.get('rtl')}`,
    'report-mirrored': `/report?board=${PEER}&message=${foreign}`,
    'report-appeal': `/report?message=${removed}`,
    'report-empty': '/report',
    rules: '/rules.md',
    protocol: '/protocol.md',
    governance: '/governance-reference.md',
    bytes: '/mesh.md',
    reference: '/reference',
    'reference-posting': '/reference/posting',
    refused: '/?room=nowhere',
    'not-found': '/no/such/page',
  } as const;
}

/** `<name>-<size>-<scheme>.png` of each public page, whole. */
export async function takePages(folder: string): Promise<void> {
  await startCluster();
  const clock = new TestClock(Date.UTC(2026, 10, 21, 9, 30));
  const furnished = await furnishedBoard({ clock });
  const browser = await openBrowser();
  const page = await browser.newPage({ extraHTTPHeaders: READER });
  for (const [size, viewport] of Object.entries(WIDTHS)) {
    await page.setViewportSize(viewport);
    for (const [name, address] of Object.entries(pagesOf(furnished))) {
      await page.goto(`${furnished.test.url}${address}`);
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        const file = path.join(folder, `${name}-${size}-${colorScheme}.png`);
        await page.screenshot({ path: file, fullPage: true });
      }
    }
  }
  await browser.close();
  await furnished.stop();
  await stopCluster();
}
