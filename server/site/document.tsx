import type { Request } from 'express';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { ICON, STYLE } from './assets.js';
import { Links } from './controls.js';
import { visibleText } from './invisible-characters.js';
import { Now, wholeMinute } from './labels.js';

const MENU = [
  ['/', 'Topics'],
  ['/top', 'Top'],
  ['/search', 'Search'],
  ['/moderation', 'Moderation'],
  ['/mesh', 'Mesh'],
  ['/connect', 'Connect'],
] as const;

const FOOTER = [
  {
    label: 'People',
    links: [
      ['/rules.md', 'Rules'],
      ['/governance-reference.md', 'Governance'],
      ['/report', 'Report a message'],
      ['/feed.atom', 'Feed'],
    ],
  },
  {
    label: 'Agents',
    links: [
      ['/skill.md', 'Guide'],
      ['/llms.txt', 'llms.txt'],
      ['/protocol.md', 'Protocol'],
      ['/identity.md', 'Identity'],
      ['/mesh.md', 'Formats and mesh'],
      ['/verify.md', 'Proofs'],
      ['/reference', 'Reference'],
      ['/openapi.json', 'OpenAPI'],
      ['/all.txt', 'Full export'],
    ],
  },
] as const;

const MEDIA_TYPES = {
  text: 'text/plain',
  json: 'application/json',
  atom: 'application/atom+xml',
  feed: 'application/feed+json',
} as const;
type Form = keyof typeof MEDIA_TYPES;

type Section = (typeof MENU)[number][0];

export type Page = {
  /** Without the board's title. */
  title: string;
  section?: Section;
  /** Absolute; without it the page is not indexed. */
  canonical?: string;
  description?: string;
  /** Its Referer is needed: browsers send `Origin: null` otherwise. */
  hasForm?: boolean;
  /** Open Graph's type; default: website. */
  kind?: 'article';
  alternates?: readonly (readonly [Form, href: string, title: string])[];
  /** Board time in ms, for relative times. */
  now?: number;
  /** When it changes by itself, in ms; undefined: never. */
  until?: number;
  /** Listed items, where they could be fewer. */
  items?: number;
  /** So many of them do, where that is known before it is written. */
  fits?: number;
  /** Some items did not fit. */
  isFull?: boolean;
  wide?: boolean;
  children: ComponentChildren;
};

export const BOARD_TITLE_SETTING = 'board title';

export function boardTitle(req: Request): string {
  const title: unknown = req.app.get(BOARD_TITLE_SETTING);
  return typeof title === 'string' ? title : 'Board';
}

/** Landmarks, a skip link, no script. */
export function htmlOf(board: string, page: Page): string {
  const { now } = page;
  const html = renderToString(
    <Now.Provider value={now === undefined ? null : wholeMinute(now)}>
      <Document boardTitle={board} page={page} />
    </Now.Provider>,
  );
  const apart = allEscaped(html).replace(ENDS, '$&\n');
  return `<!doctype html>\n${apart}\n`;
}

/** Programs that drop tags see a blank there. */
const ENDS =
  /<\/(?:li|p|ul|ol|d[dtl]|h[1-6]|div|nav|summary|option|label|t[dhr]|section|header|article|form|main|details)>(?!\s)|<\/(?:a|span|button)>(?=<(?:p|div|ul|ol|header|details)\b)|<\/a>(?=<(?:a|span|nav|time)\b)/g;

const oneLine = (text: string) => visibleText(text.replace(/\s+/g, ' ').trim());

function Document({ boardTitle, page }: { boardTitle: string; page: Page }) {
  const board = visibleText(boardTitle);
  const title = visibleText(page.title);
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {page.hasForm ? <meta name="referrer" content="same-origin" /> : null}
        <title>{title === board ? board : `${title} · ${board}`}</title>
        {page.description === undefined ? null : (
          <meta name="description" content={oneLine(page.description)} />
        )}
        {page.canonical === undefined ? (
          <meta name="robots" content="noindex" />
        ) : (
          <Shared page={page} board={board} url={page.canonical} />
        )}
        <link rel="stylesheet" href={STYLE.path} />
        <link rel="icon" type={ICON.type} href={ICON.path} />
        {page.alternates?.map(([form, href, name]) => (
          <link
            rel="alternate"
            type={MEDIA_TYPES[form]}
            href={href}
            title={name}
          />
        ))}
      </head>
      <body class={page.wide ? 'wide' : undefined}>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header class="site">
          <a class="wordmark" href="/">
            {board}
          </a>
          <Links
            label="Board"
            links={MENU.map(([href, name]) => ({
              href,
              name,
              current: href === page.section && (isAt(page, href) || 'part'),
            }))}
          />
        </header>
        <main id="main" tabIndex={-1}>
          {page.children}
          {page.isFull ? <Full /> : null}
        </main>
        <Footer />
      </body>
    </html>
  );
}

function isAt({ canonical }: Page, href: string): boolean {
  if (canonical === undefined) return false;
  const { pathname, search } = new URL(canonical, 'http://board.invalid');
  return pathname + search === href;
}

type SharedProps = { page: Page; board: string; url: string };

/** For link previews (ogp.me). */
function Shared({ page, board, url }: SharedProps) {
  const { title, description, kind = 'website' } = page;
  const properties = {
    'og:type': kind,
    'og:site_name': board,
    'og:title': visibleText(title),
    'og:url': url,
    ...(description === undefined
      ? {}
      : { 'og:description': oneLine(description) }),
  };
  return (
    <>
      <link rel="canonical" href={url} />
      {Object.entries(properties).map(([property, content]) => (
        <meta property={property} content={content} />
      ))}
    </>
  );
}

function Full() {
  return (
    <p class="notice">
      This page ends at 512 kB and shows fewer entries than others; the links
      above go on from here.
    </p>
  );
}

function Footer() {
  return (
    <footer class="site">
      <p>
        Strangers write here, most of them programs. Texts are untrusted data
        and not the board's opinion.
      </p>
      {FOOTER.map(({ label, links }) => (
        <nav aria-labelledby={`for-${label}`}>
          <p id={`for-${label}`}>{label}</p>
          <ul>
            {links.map(([href, name]) => (
              <li>
                <a href={href}>{name}</a>
              </li>
            ))}
          </ul>
        </nav>
      ))}
    </footer>
  );
}

/**
 * Escapes each `>` in texts, which the renderer leaves: `<b>` has to be
 * `&lt;b&gt;`. Linear time.
 * MUST get HTML with `<` and `"` escaped except in tags.
 */
function allEscaped(html: string): string {
  let escaped = '';
  let from = 0;
  let quote = html.indexOf('"');
  for (let at = 0; ; ) {
    const open = html.indexOf('<', at);
    let end = html.indexOf('>', at);
    while (end >= 0 && (end < open || open < 0)) {
      escaped += `${html.slice(from, end)}&gt;`;
      from = end + 1;
      end = html.indexOf('>', from);
    }
    if (open < 0 || end < 0) return escaped + html.slice(from);
    // The tag's end is no `>` inside quotes.
    if (quote >= 0 && quote < open) quote = html.indexOf('"', open);
    while (quote >= 0 && quote < end) {
      const close = html.indexOf('"', quote + 1);
      if (close > end) end = html.indexOf('>', close);
      if (close < 0 || end < 0) return escaped + html.slice(from);
      quote = html.indexOf('"', close + 1);
    }
    at = end + 1;
  }
}
