import { NavLink } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import type { Overview } from '../../server/dashboard/schemas/views.js';
import { useFreshOverview, useOverview } from './use-overview.js';

type Place = {
  to: string;
  name: string;
  /** What waits there. */
  waiting?: (it: Overview) => number;
};

const PLACES: readonly Place[] = [
  { to: '/', name: 'Overview', waiting: (it) => it.alerts.length },
  {
    to: '/queue',
    name: 'Queue',
    waiting: ({ reports }) => reports.received + reports.in_review,
  },
  { to: '/hidden', name: 'Hidden topics', waiting: (it) => it.hidden_topics },
  { to: '/decisions', name: 'Decisions' },
  { to: '/polls', name: 'Polls', waiting: ({ polls }) => polls.awaiting },
  { to: '/usefulness', name: 'Usefulness' },
  {
    to: '/mesh',
    name: 'Mesh',
    waiting: ({ first }) =>
      first.find(({ what }) => what === 'peers')?.count ?? 0,
  },
  { to: '/system', name: 'System' },
  { to: '/operators', name: 'Operators' },
];

/** The pages, each with what waits there. */
export function Sidebar() {
  useFreshOverview();
  const { data } = useOverview();
  const { pathname } = useLocation();
  return (
    <>
      {PLACES.map(({ to, name, waiting }) => {
        const n = data === undefined ? 0 : (waiting?.(data) ?? 0);
        const here = isHere(pathname, to);
        return (
          <NavLink
            key={to}
            component={Link}
            to={to}
            label={name}
            active={here}
            variant="filled"
            aria-current={here ? 'page' : undefined}
            rightSection={
              n === 0 ? null : (
                <span className="badge">
                  {n}
                  <span className="unseen-label"> waiting</span>
                </span>
              )
            }
          />
        );
      })}
    </>
  );
}

function isHere(pathname: string, to: string): boolean {
  const path = pathname.replace(/^\/admin/, '') || '/';
  if (to === '/queue' && path.startsWith('/item')) return true;
  return to === '/' ? path === '/' : path.startsWith(to);
}
