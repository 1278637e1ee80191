import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAsk } from '../api/ask.js';
import { counted } from '../parts/figures.js';
import { shown } from '../parts/invisible.js';
import { targetOf } from './target-of.js';

/** With further search words. */
export const PAGES = [
  ['/', 'Overview', 'figures charts alerts'],
  ['/queue', 'Queue', 'reports appeals moderation'],
  ['/hidden', 'Hidden topics', 'ratings restore'],
  ['/decisions', 'Decisions', 'moderation log export'],
  ['/polls', 'Polls', 'proposals'],
  ['/usefulness', 'Usefulness', 'report metrics publish'],
  ['/mesh', 'Mesh', 'peers boards trust block'],
  ['/system', 'System', 'jobs backups limits version'],
  ['/operators', 'Operators', 'accounts roles audit sessions'],
  ['/settings/notifications', 'Notifications', 'settings e-mail webhook'],
  ['/settings/watch-rules', 'Watch rules', 'settings words hosts rate reports'],
] as const;
/** Parts of pages, with search words. */
const SETTINGS = [
  ['/queue', 'Saved views of the queue', 'settings filters kept'],
  ['/mesh', 'Link a board', 'settings add peer connect'],
  ['/mesh', 'Policy of linked boards', 'settings export import'],
  ['/system', 'Limits in force', 'settings budgets quota'],
  ['/system', 'Backups', 'settings verify restore'],
  ['/operators', 'Invite an operator', 'settings role link'],
  ['/account', 'Passkeys and passphrase', 'settings credentials codes'],
  ['/account', 'Public alias', 'settings name'],
  ['/account', 'Colours: light or dark', 'settings theme appearance'],
  ['/account', 'Single-letter keys', 'settings keyboard shortcuts'],
  ['/settings/notifications', 'E-mail', 'settings smtp mail SMTP_URL'],
] as const;
/** Shorter texts are in nearly every message. */
const LEAST = 3;
const ACCOUNT = [
  '/account',
  'Your account',
  'passkey recovery codes sign out',
] as const;

/** Ctrl-K: finds pages, settings, texts, authors and pasted IDs. */
export function Palette() {
  const go = useNavigate();
  const [typed, setTyped] = useState('');
  const target = targetOf(typed);
  const words = typed.trim().toLowerCase();
  const fits = ([, name, more]: readonly [string, string, string]) =>
    `${name} ${more}`.toLowerCase().includes(words);
  const pages = [
    ...[...PAGES, ACCOUNT].filter(fits),
    ...(words === '' ? [] : SETTINGS.filter(fits)),
  ];
  const [asked] = useDebouncedValue(typed.trim(), 200);
  const enabled = target === null && asked.length >= LEAST;
  const { data: found } = useAsk('board.find', { q: asked }, { enabled });
  const { messages = [], authors = [] } = (enabled && found) || {};
  const openItem = (subject: string) =>
    void go({ to: '/item/$subject', params: { subject } });
  const follow = () => {
    const { subject, find: q } = target ?? {};
    if (subject) openItem(subject);
    if (q) void go({ to: '/find', search: { q } as never });
  };
  return (
    <Spotlight.Root
      query={typed}
      onQueryChange={setTyped}
      shortcut="mod + K"
      attributes={{ content: { 'aria-label': 'Find' } }}
      onSpotlightOpen={() => setTyped('')}
    >
      <Spotlight.Search
        placeholder="A page, text, author, setting, ID or address"
        aria-label="Find"
      />
      <Spotlight.ActionsList>
        {target === null ? null : (
          <Spotlight.Action label={target.label} onClick={follow} />
        )}
        {pages.map(([to, name]) => (
          <Spotlight.Action
            key={name}
            label={name}
            onClick={() => void go({ to })}
          />
        ))}
        {messages.map(({ id, title, author, excerpt }) => (
          <Spotlight.Action
            key={id}
            label={`${shown(title ?? `Message ${id}`)} (${id})`}
            description={shown(`${author ?? 'removed'}: ${excerpt}`)}
            onClick={() => openItem(`message:${id}`)}
          />
        ))}
        {authors.map(({ author, messages: n }) => (
          <Spotlight.Action
            key={`author ${author}`}
            label={`Messages by ${shown(author)}`}
            description={counted(n, 'recent message')}
            onClick={() =>
              void go({ to: '/find', search: { author } as never })
            }
          />
        ))}
        {enabled && messages.length > 0 ? (
          <Spotlight.Action
            label={`All messages that contain “${shown(asked)}”`}
            onClick={() =>
              void go({ to: '/find', search: { q: asked } as never })
            }
          />
        ) : null}
        {target === null &&
        pages.length + messages.length + authors.length === 0 ? (
          <Spotlight.Empty>
            No matches. Try a page, a word of a text, a name, a full ID or a
            URL.
          </Spotlight.Empty>
        ) : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
