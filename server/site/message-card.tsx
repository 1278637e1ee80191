import type { ComponentChildren } from 'preact';
import { publicTime } from '../clock.js';
import { messageReadUrl } from '../http/urls.js';
import type { Removal } from '../moderation/index.js';
import type { ShownMessage } from '../reading/index.js';
import { Author, REASON_TEXTS, Score, Time } from './labels.js';
import { SafeText, VisibleText } from './safe-text.js';

/** The message that one answers, on this page or on another. */
export type Parent = { id: number; href: string; author: string | null };

/** The place of a message in its thread, removed or not. */
type Place = {
  id: number;
  at: string;
  self: string;
  parent: Parent | null;
  /** The page was asked for this message. */
  wanted: boolean;
};

type FrameProps = {
  place: Place;
  /** Its classes: what is left of it, and whose it is. */
  kind: string;
  byline: ComponentChildren;
  /** Between the byline and the line of links. */
  score?: ComponentChildren;
  /** The last of the links: what else can be read about it. */
  more: ComponentChildren;
  children: ComponentChildren;
};

/** One message of a thread, or its tombstone: head, links and what it says. */
export function MessageFrame({ place, kind, ...parts }: FrameProps) {
  const { id, parent, wanted } = place;
  return (
    <article
      class={wanted ? `${kind} wanted` : kind}
      id={`m${id}`}
      aria-labelledby={`by${id}`}
    >
      <header>
        <h2 class="byline" id={`by${id}`}>
          {parts.byline}
        </h2>
        {parts.score}
        <p class="meta">
          <a class="permalink" href={place.self}>
            #{id}
          </a>{' '}
          <Time at={place.at} />
          {parent === null ? null : <InReply parent={parent} />}
          <span class="screen">
            {' · '}
            {parts.more}
          </span>
        </p>
      </header>
      {parts.children}
    </article>
  );
}

function InReply({ parent }: { parent: Parent }) {
  return (
    <>
      {' · in reply to '}
      <a href={parent.href}>
        #{parent.id}
        {parent.author === null ? null : (
          <>
            {' '}
            <SafeText text={parent.author} />
          </>
        )}
      </a>
    </>
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

type CardProps = { message: ShownMessage; body: string; place: Place };

/** One message of a thread; `body` is HTML of the Markdown renderer. */
export function MessageCard({ message, body, place }: CardProps) {
  const { id, score } = message;
  return (
    <MessageFrame
      place={place}
      kind="message"
      byline={<Author message={message} />}
      score={<Score score={score} />}
      more={
        <a href={messageReadUrl('', id)}>
          JSON<span class="hidden"> of message {id}</span>
        </a>
      }
    >
      <Body html={body} />
    </MessageFrame>
  );
}

type TombstoneProps = { removal: Removal | undefined; place: Place };

/** What is left of a removed message: its place, and why it is gone. */
export function Tombstone({ removal, place }: TombstoneProps) {
  return (
    <MessageFrame
      place={place}
      kind="message removed"
      byline="Removed message"
      more={
        <a href={`/moderation?message=${place.id}`}>
          decisions<span class="hidden"> about message {place.id}</span>
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
