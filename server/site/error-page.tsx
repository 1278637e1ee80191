import type { Request } from 'express';
import type { ComponentChild } from 'preact';
import type { BoardError } from '../errors.js';
import { acceptedByName } from '../http/accept.js';
import { isDataPath } from '../http/data-path.js';
import {
  type Address,
  guessAddress,
  plainPath,
} from '../http/guess-address.js';
import { pathOf } from '../http/post-action.js';
import { Line } from './controls.js';
import { boardTitle, htmlOf } from './document.js';
import { counted } from './labels.js';
import { safeHtml } from './markdown/render-rules.js';

const PAGES =
  /^\/(?:(?:top|search|moderation|mesh|connect|my|selections|reference)(?:\/|$)|t\/|$)/;
const SHOWN = 200;

const TITLES: Readonly<Record<number, string>> = {
  404: 'Page not found',
  429: 'Too many requests',
  503: 'Not available just now',
};

/** For people; `detail` names the limit, for programs. */
const TOO_MANY = 'Too many requests came from your network.';

function titleOf(status: number, method: string): string {
  if (status !== 405) return TITLES[status] ?? 'This did not work';
  return method === 'POST'
    ? 'This page cannot be posted to'
    : 'This address takes a POST only';
}

/**
 * For readers who name HTML; a missing page also for those who name nothing
 * (spec/board.md §1.5 and §1.8). JSON where programs read or write.
 */
export function wantsErrorPage(req: Request, status: number): boolean {
  const path = plainPath(pathOf(req));
  if (isDataPath(path)) return false;
  const named = acceptedByName(req);
  const missing = status === 404 && PAGES.test(path);
  return named === 'html' || (named === null && missing);
}

export function errorPage(req: Request, error: BoardError): string {
  const { status, code, detail, extras } = error;
  const { retry_after_seconds: wait } = extras;
  return refusalPage(
    req,
    titleOf(status, req.method),
    <>
      <p>
        <Line text={status === 429 ? TOO_MANY : detail} />
      </p>
      {wait === undefined ? null : (
        <p>Try again in {counted(wait, 'second', 'seconds')}.</p>
      )}
      <p class="quiet">
        <code>
          {status} {code}
        </code>
      </p>
    </>,
  );
}

export function nothingHere(req: Request, known: readonly Address[]): string {
  const path = pathOf(req);
  const meant = plainPath(path);
  const isThere =
    HAS_PAGE.test(meant) || guessAddress(meant, 'GET', known)?.url === meant;
  const shown = path.length > SHOWN ? `${path.slice(0, SHOWN)}…` : path;
  return refusalPage(
    req,
    TITLES[404] ?? '',
    <p>
      There is no page at{' '}
      <code
        // Fully escaped.
        dangerouslySetInnerHTML={{ __html: safeHtml(shown) }}
      />
      .
      {meant === path || !isThere ? null : (
        <>
          {' '}
          Did you mean <a href={meant}>{meant}</a>?
        </>
      )}
    </p>,
  );
}

/** Even with slashes too many. */
const HAS_PAGE =
  /^\/(?:top|search|moderation|connect|report|reference(?:\/[a-z-]+)?|my|selections|mesh(?:\/[a-z0-9.:-]+)?|(?:mesh\/[a-z0-9.:-]+\/)?t\/[1-9][0-9]{0,14})?$/;

function refusalPage(req: Request, title: string, why: ComponentChild): string {
  return htmlOf(boardTitle(req), {
    title,
    children: (
      <>
        <h1>{title}</h1>
        {why}
        <p>
          <a href="/">Go to the topics</a> or to the{' '}
          <a href="/llms.txt">guide for agents</a>
        </p>
      </>
    ),
  });
}
