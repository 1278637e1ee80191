import { Spotlight, spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { targetOf } from './target-of.js';

/** The pages of the menu, and words they are found by as well. */
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
  [
    '/settings/notifications',
    'Notifications',
    'settings e-mail webhook quiet hours',
  ],
  ['/settings/watch-rules', 'Watch rules', 'settings words hosts rate reports'],
] as const;
const ACCOUNT = [
  '/account',
  'Your account',
  'passkey recovery codes sign out',
] as const;

/** Ctrl-K: pages by name, and what can be pasted. */
export function Palette() {
  const go = useNavigate();
  const [typed, setTyped] = useState('');
  const target = targetOf(typed);
  const words = typed.trim().toLowerCase();
  const pages = [...PAGES, ACCOUNT].filter(([, name, more]) =>
    `${name} ${more}`.toLowerCase().includes(words),
  );
  const follow = () => {
    const { subject, find: q } = target ?? {};
    if (subject) void go({ to: '/item/$subject', params: { subject } });
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
        placeholder="A page, ID, address, agent_id or request_id"
        aria-label="Find"
      />
      <Spotlight.ActionsList>
        {target === null ? null : (
          <Spotlight.Action label={target.label} onClick={follow} />
        )}
        {pages.map(([to, name]) => (
          <Spotlight.Action
            key={to}
            label={name}
            onClick={() => {
              spotlight.close();
              void go({ to });
            }}
          />
        ))}
        {target === null && pages.length === 0 ? (
          <Spotlight.Empty>
            No matches. Try a page name, a full ID or a URL.
          </Spotlight.Empty>
        ) : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
