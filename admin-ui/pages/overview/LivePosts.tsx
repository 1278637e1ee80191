import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useEvents } from '../../live/use-live.js';
import { Section } from '../../parts/Section.js';
import { Time } from '../../parts/Time.js';

const SHOWN = 12;

type Post = { id: number; root: number; room: string; at: number };

/** The posts that came while this page was open, the newest first. */
export function LivePosts() {
  const [posts, setPosts] = useState<readonly Post[]>([]);
  const [held, setHeld] = useState<readonly Post[]>([]);
  const [watched, setWatched] = useState(false);
  useEvents((event) => {
    if (event.kind !== 'message') return;
    const { message_id: id, root_id: root, room, at } = event;
    const add = (before: readonly Post[]) =>
      [{ id, root, room, at }, ...before].slice(0, SHOWN);
    if (watched) setHeld(add);
    else setPosts(add);
  });
  /** Nothing moves while somebody points at the list or is in it. */
  const watch = (on: boolean) => {
    setWatched(on);
    if (on) return;
    setPosts((before) => [...held, ...before].slice(0, SHOWN));
    setHeld([]);
  };
  return (
    <Section
      title="Posts as they come"
      actions={held.length === 0 ? null : <span>{held.length} new</span>}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only waits */}
      <div
        onPointerEnter={() => watch(true)}
        onPointerLeave={() => watch(false)}
        onFocus={() => watch(true)}
        onBlur={() => watch(false)}
      >
        {posts.length === 0 ? (
          <p className="dim tight">None since you opened this page.</p>
        ) : (
          <ul className="first">
            {posts.map(({ id, root, room, at }) => (
              <li key={id}>
                <Link to="/item/$subject" params={{ subject: `message:${id}` }}>
                  {id === root ? `Topic ${id}` : `Reply ${id} in ${root}`}
                </Link>{' '}
                <span className="dim">
                  {room}, <Time at={at} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}
