import type { ComponentChildren } from 'preact';
import { publicTime } from '../clock.js';
import { messageReadUrl } from '../http/urls.js';
import type { Removal } from '../moderation/index.js';
import type { ShownMessage } from '../reading/index.js';
import { Author, counted, REASON_TEXTS, Score, Time } from './labels.js';
import { SafeText, VisibleText } from './safe-text.js';

/** Code points of a quoted parent. */
export const QUOTE = 140;

export type Parent = {
  id: number;
  href: string;
  author: string | null;
  /** Null where there is none. */
  quote: string | null;
};

export type Place = {
  id: number;
  at: string;
  self: string;
  opening?: boolean;
  parent: Parent | null;
  wanted: boolean;
  /** Newer than what the reader has seen. */
  fresh: boolean;
  /** Replies on this page, and the first one's place. */
  answers: { count: number; href: string } | null;
  replies?: ComponentChildren;
};

type FrameProps = {
  place: Place;
  kind: string;
  byline: ComponentChildren;
  score?: ComponentChildren;
  /** This board's own. */
  canReport?: boolean;
  more: ComponentChildren;
  children: ComponentChildren;
};

export function MessageFrame({ place, kind, ...parts }: FrameProps) {
  const { id, parent, opening = false, wanted, fresh, answers } = place;
  const Heading = opening ? 'h2' : 'h3';
  const classes = [kind, opening && 'opening', fresh && 'fresh'];
  return (
    <article
      class={[...classes, wanted && 'wanted'].filter(Boolean).join(' ')}
      id={`m${id}`}
      aria-labelledby={`by${id}`}
    >
      <header>
        <Heading class="byline" id={`by${id}`}>
          {parts.byline}
          {fresh ? (
            <>
              {' '}
              <span class="badge new">new</span>
            </>
          ) : null}
        </Heading>{' '}
        <p class="meta">
          <Time at={place.at} />
          {parent === null ? null : <InReply parent={parent} from={id} />}
          {parts.score === undefined ? null : (
            <span class="scored">
              <span class="dot"> · </span>
              {parts.score}
            </span>
          )}
        </p>{' '}
        <p class="meta links">
          <a class="permalink" href={place.self}>
            #{id}
          </a>{' '}
          {answers === null ? null : (
            <a href={answers.href}>
              {counted(answers.count, 'reply', 'replies')}
            </a>
          )}{' '}
          {parts.canReport ? (
            <a
              href={`/report?message=${id}`}
              rel="nofollow"
              aria-label={`report message ${id}`}
            >
              report
            </a>
          ) : null}{' '}
          {parts.more}
        </p>
      </header>
      {parts.children}
      {place.replies}
    </article>
  );
}

function InReply({ parent, from }: { parent: Parent; from: number }) {
  const { id, href, author, quote } = parent;
  return (
    <span class="answers">
      <span class="dot"> · </span>
      <a href={href} aria-describedby={quote === null ? undefined : `q${from}`}>
        in reply to #{id}
        {author === null ? null : (
          <>
            {' '}
            <SafeText text={author} />
          </>
        )}
      </a>
      {quote === null ? null : (
        <span class="quote" role="tooltip" id={`q${from}`} dir="auto">
          <VisibleText text={quote} />
        </span>
      )}
    </span>
  );
}

type RepliesProps = { id: number; count: number; children: ComponentChildren };

export function Replies({ id, count, children }: RepliesProps) {
  return (
    <details class="replies" id={`r${id}`} open>
      <summary>
        <span>{counted(count, 'reply', 'replies')}</span>
        <span class="hidden"> under message {id}</span>
      </summary>
      {children}
    </details>
  );
}

/** From the Markdown renderer only. */
export function Body({ html }: { html: string }) {
  return (
    <div
      class="body"
      // Fully escaped by server/site/markdown.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

type CardProps = {
  message: ShownMessage;
  body: string;
  place: Place;
  /** Its poll. */
  children?: ComponentChildren;
};

/** `body`: HTML of the Markdown renderer. */
export function MessageCard({ message, body, place, children }: CardProps) {
  const { id, score } = message;
  return (
    <MessageFrame
      place={place}
      canReport
      kind="message"
      byline={<Author message={message} />}
      score={score === 0 ? undefined : <Score score={score} />}
      more={
        <a href={messageReadUrl('', id)} aria-label={`JSON of message ${id}`}>
          JSON
        </a>
      }
    >
      <Body html={body} />
      {children}
    </MessageFrame>
  );
}

type TombstoneProps = { removal: Removal | undefined; place: Place };

export function Tombstone({ removal, place }: TombstoneProps) {
  return (
    <MessageFrame
      place={place}
      canReport
      kind="message removed"
      byline="Removed message"
      more={
        <a
          href={`/moderation?message=${place.id}`}
          aria-label={`decisions about message ${place.id}`}
        >
          decisions
        </a>
      }
    >
      {removal === undefined ? (
        <p>Its text was removed.</p>
      ) : (
        <>
          <p>
            Removed for {REASON_TEXTS[removal.reason]} by{' '}
            <SafeText text={removal.operator} />,{' '}
            <Time at={publicTime(removal.decided_at)} />.
          </p>
          <blockquote dir="auto">
            <p>
              <VisibleText text={removal.explanation} />
            </p>
          </blockquote>
        </>
      )}
    </MessageFrame>
  );
}
