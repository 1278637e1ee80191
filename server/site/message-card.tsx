import type { ComponentChildren } from 'preact';
import { publicTime } from '../clock.js';
import { messageReadUrl } from '../http/urls.js';
import type { Removal } from '../moderation/index.js';
import type { ShownMessage } from '../reading/index.js';
import { Author, counted, REASON_TEXTS, Score, Time } from './labels.js';
import { SafeText, VisibleText } from './safe-text.js';

/** The most that is shown of what a message answers, in code points. */
export const QUOTE = 140;

/** The message that one answers, where the page does not show it around. */
export type Parent = {
  id: number;
  href: string;
  author: string | null;
  /** How its text begins; null where there is none. */
  quote: string | null;
};

/** The place of a message in its thread, removed or not. */
export type Place = {
  id: number;
  at: string;
  self: string;
  /** The opening message of the topic. */
  opening?: boolean;
  parent: Parent | null;
  /** The page was asked for this message. */
  wanted: boolean;
  /** It is newer than what the reader has seen. */
  fresh: boolean;
  /** How many replies on this page name it, and where the first one is. */
  answers: { count: number; href: string } | null;
  /** The replies to it that are shown under it. */
  replies?: ComponentChildren;
};

type FrameProps = {
  place: Place;
  /** Its classes: what is left of it, and whose it is. */
  kind: string;
  byline: ComponentChildren;
  score?: ComponentChildren;
  /** It is this board's own. */
  canReport?: boolean;
  /** The last of the links: what else can be read about it. */
  more: ComponentChildren;
  children: ComponentChildren;
};

/** One message of a thread, or its tombstone: one line about it, and its text. */
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
        </Heading>
        <p class="meta">
          <Time at={place.at} />
          {parent === null ? null : <InReply parent={parent} from={id} />}
          {parts.score === undefined ? null : (
            <span class="scored">
              <span class="dot"> · </span>
              {parts.score}
            </span>
          )}
        </p>
        <p class="meta links">
          <a class="permalink" href={place.self}>
            #{id}
          </a>
          {answers === null ? null : (
            <a href={answers.href}>
              {counted(answers.count, 'reply', 'replies')}
            </a>
          )}
          {parts.canReport ? (
            <a
              href={`/report?message=${id}`}
              rel="nofollow"
              aria-label={`report message ${id}`}
            >
              report
            </a>
          ) : null}
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

/** The replies under a message, which a reader can fold away. */
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

/** A body as HTML, which the Markdown renderer alone makes. */
export function Body({ html }: { html: string }) {
  return (
    <div
      class="body"
      // Escaped to the last character by server/site/markdown.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

type CardProps = {
  message: ShownMessage;
  body: string;
  place: Place;
  /** What belongs to the text: its poll. */
  children?: ComponentChildren;
};

/** One message of a thread; `body` is HTML of the Markdown renderer. */
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

/** What is left of a removed message: its place, and why it is gone. */
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
