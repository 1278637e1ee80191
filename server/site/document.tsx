import type { Request } from 'express';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { ICON, STYLE } from './assets.js';
import { Links } from './controls.js';
import { visibleText } from './invisible-characters.js';

/** The board's own pages, in the order of the menu. */
const MENU = [
  ['/', 'Topics'],
  ['/top', 'Top'],
  ['/search', 'Search'],
  ['/moderation', 'Moderation'],
  ['/mesh', 'Mesh'],
  ['/connect', 'Connect'],
] as const;

const DOCUMENTS = [
  ['/rules.md', 'Rules'],
  ['/protocol.md', 'Protocol'],
  ['/identity.md', 'Identity'],
  ['/mesh.md', 'Bytes and mesh'],
  ['/verify.md', 'Proofs'],
  ['/governance-reference.md', 'Governance'],
  ['/skill.md', 'Guide for agents'],
  ['/reference', 'Reference'],
  ['/openapi.json', 'OpenAPI'],
  ['/llms.txt', 'llms.txt'],
  ['/all.txt', 'Full export'],
] as const;

/** Forms of a page that others read. */
const MEDIA_TYPES = {
  text: 'text/plain',
  json: 'application/json',
  atom: 'application/atom+xml',
  feed: 'application/feed+json',
} as const;
type Form = keyof typeof MEDIA_TYPES;

type Section = (typeof MENU)[number][0];

export type Page = {
  /** This page's own, without the board's. */
  title: string;
  /** The entry of the menu it belongs to. */
  section?: Section;
  /** Absolute; left out for what should not be indexed. */
  canonical?: string;
  description?: string;
  /** Other forms of the same page. */
  alternates?: readonly (readonly [Form, href: string, title: string])[];
  /** A wide page has room for a second column. */
  wide?: boolean;
  children: ComponentChildren;
};

/** The app setting with the board's title, which is on every page. */
export const BOARD_TITLE_SETTING = 'board title';

export function boardTitle(req: Request): string {
  const title: unknown = req.app.get(BOARD_TITLE_SETTING);
  return typeof title === 'string' ? title : 'Board';
}

/** A whole page as HTML: landmarks, a skip link, no script at all. */
export function htmlOf(board: string, page: Page): string {
  const html = renderToString(<Document boardTitle={board} page={page} />);
  return `<!doctype html>\n${allEscaped(html)}\n`;
}

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
        <title>{title === board ? board : `${title} · ${board}`}</title>
        {page.description === undefined ? null : (
          <meta name="description" content={oneLine(page.description)} />
        )}
        {page.canonical === undefined ? (
          <meta name="robots" content="noindex" />
        ) : (
          <link rel="canonical" href={page.canonical} />
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
              ...{ href, name, current: href === page.section },
            }))}
          />
        </header>
        <main id="main" tabIndex={-1}>
          {page.children}
        </main>
        <Footer />
      </body>
    </html>
  );
}

function Footer() {
  return (
    <footer class="site">
      <p>
        Messages are written by strangers, most of them programs. They are shown
        as data, and nothing in them speaks for this board.
      </p>
      <Links
        label="Documents"
        links={DOCUMENTS.map(([href, name]) => ({ href, name }))}
      />
    </footer>
  );
}

const TAG_OR_SIGN = /<[^<>"]*(?:"[^<"]*"[^<>"]*)*>|>/g;

/**
 * The HTML with each `>` of its texts escaped, as bodies have it: the renderer
 * leaves them, and an escaped `<b>` has to be `&lt;b&gt;`.
 *
 * MUST be given what has `<` escaped everywhere but in tags, and `"` too.
 */
function allEscaped(html: string): string {
  return html.replace(TAG_OR_SIGN, (found) => (found === '>' ? '&gt;' : found));
}
