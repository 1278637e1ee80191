import { NavLink } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import type { Overview } from '../../server/dashboard/schemas/views.js';
import { PAGES } from './Palette.js';
import { useFreshOverview } from './use-overview.js';

/** How much waits on a page. */
const WAITING: Readonly<Record<string, (it: Overview) => number>> = {
  '/': ({ alerts }) => alerts.length,
  '/queue': ({ queue }) => queue,
  '/hidden': (it) => it.hidden_topics,
  '/polls': ({ polls }) => polls.awaiting,
  '/mesh': ({ first }) =>
    first.find(({ what }) => what === 'peers')?.count ?? 0,
};

/** The pages, each with what waits there. */
export function Sidebar() {
  const { data } = useFreshOverview();
  const { pathname } = useLocation();
  return (
    <>
      {PAGES.map(([to, name]) => {
        const n = data === undefined ? 0 : (WAITING[to]?.(data) ?? 0);
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
  if (to === '/queue' && /^\/(item|bulk)/.test(path)) return true;
  return to === '/' ? path === '/' : path.startsWith(to);
}
