import type { ComponentChildren } from 'preact';
import { Shown } from './safe-text.js';
import { Time } from './time.js';

/** The message that one answers: in the page, or wherever it stands. */
export type Parent = { id: number; href: string; author: string | null };

/** Where a message stands in its thread, whatever is left of it. */
export type Place = {
  id: number;
  at: string;
  self: string;
  parent: Parent | null;
  /** The page was asked for this message. */
  wanted: boolean;
};

type Props = {
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
export function MessageFrame({ place, kind, ...parts }: Props) {
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
            <Shown text={parent.author} />
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
      // Escaped to the last character by server/text/markdown.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
