import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Overview } from '../../../server/dashboard/commands/overview.js';
import type { ReceivedEvent } from '../../../server/dashboard/live/events.js';
import { useEvents } from '../../live/use-live.js';
import { Inert } from '../../parts/Inert.js';
import { Section } from '../../parts/Page.js';
import { Time } from '../../parts/Time.js';

const SHOWN = 8;

type Post = Overview['latest'][number];

/** New posts first, each once. */
function joined(some: readonly Post[], before: readonly Post[]): Post[] {
  const known = new Set(before.map(({ id }) => id));
  const fresh = some.filter(({ id }) => !known.has(id));
  return [...fresh, ...before].slice(0, SHOWN);
}

/** A snapshot replaces missed events. */
function postsOf(event: ReceivedEvent): readonly Post[] {
  if (event.kind === 'snapshot') return event.overview.latest;
  if (event.kind !== 'message') return [];
  const { message_id: id, root_id: root, room, at } = event;
  return [{ id, root, room, at, title: null, author: null, excerpt: null }];
}

export function LivePosts({ latest }: Pick<Overview, 'latest'>) {
  const [posts, setPosts] = useState<readonly Post[]>(latest);
  // Events carry no texts, so they are read separately.
  const read = new Map(latest.map((post) => [post.id, post]));
  const shown = posts.map((post) => read.get(post.id) ?? post);
  const [held, setHeld] = useState<readonly Post[]>([]);
  const [watched, setWatched] = useState(false);
  useEvents((event) => {
    const some = postsOf(event);
    if (some.length === 0) return;
    const add = (before: readonly Post[]) => joined(some, before);
    if (watched) setHeld(add);
    else setPosts(add);
  });
  /** Nothing moves while the pointer or focus is in the list. */
  const watch = (on: boolean) => {
    setWatched(on);
    if (on) return;
    setPosts((before) => joined(held, before));
    setHeld([]);
  };
  return (
    <Section
      title="Latest posts"
      actions={held.length === 0 ? null : <span>{held.length} new</span>}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only waits */}
      <div
        onPointerEnter={() => watch(true)}
        onPointerLeave={() => watch(false)}
        onFocus={() => watch(true)}
        onBlur={() => watch(false)}
      >
        {shown.length === 0 ? (
          <p className="dim tight">No post yet.</p>
        ) : (
          <ul className="first">
            {shown.map((post) => (
              <li key={post.id}>
                <OnePost post={post} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}

/** By its number until the title is read, or where it is removed. */
function OnePost({ post }: { post: Post }) {
  const { id, root, room, at, title, author, excerpt } = post;
  const isTopic = id === root;
  const subject = `message:${id}`;
  return (
    <>
      <Link to="/item/$subject" params={{ subject }}>
        {title === null ? (
          `${isTopic ? 'Topic' : 'Reply'} ${id}`
        ) : (
          <>
            {isTopic ? '' : 'Re: '}
            <Inert text={title} />
          </>
        )}
      </Link>{' '}
      <span className="dim">
        <Inert text={author} />
        {author === null ? '' : ', '}
        {room}, <Time at={at} />
      </span>
      {isTopic ? null : (
        <span className="one-line dim">
          <Inert text={excerpt?.replaceAll('\n', ' ') ?? null} />
        </span>
      )}
    </>
  );
}
