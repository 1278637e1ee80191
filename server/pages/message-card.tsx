import { Shown } from '../html/shown.js';
import { Time } from '../html/time.js';
import type { ShownMessage } from '../threads/message-view.js';
import { Author, Score } from './badge.js';

/** The message that one answers: in the page, or wherever it stands. */
export type Parent = { id: number; href: string; author: string | null };

type Props = {
  message: ShownMessage;
  /** HTML of the body, from the Markdown renderer alone. */
  body: string;
  parent: Parent | null;
  /** The page was asked for this message. */
  wanted: boolean;
  links: { self: string; json: string; proof: string };
};

/** One message of a thread. */
export function MessageCard({ message, body, parent, wanted, links }: Props) {
  const { id } = message;
  return (
    <article
      class={wanted ? 'message wanted' : 'message'}
      id={`m${id}`}
      aria-labelledby={`by${id}`}
    >
      <header>
        <h2 class="byline" id={`by${id}`}>
          <Author message={message} proofUrl={links.proof} />
        </h2>
        <Score score={message.score} />
        <p class="meta">
          <a class="permalink" href={links.self}>
            #{id}
          </a>{' '}
          <Time at={message.created_at} />
          {parent === null ? null : <InReply parent={parent} />}
          {' · '}
          <a href={links.json}>
            JSON<span class="hidden"> of message {id}</span>
          </a>
        </p>
      </header>
      <div
        class="body"
        // Escaped to the last character by server/text/markdown.
        dangerouslySetInnerHTML={{ __html: body }}
      />
    </article>
  );
}

export function InReply({ parent }: { parent: Parent }) {
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
