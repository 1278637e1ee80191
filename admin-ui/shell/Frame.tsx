import { AppShell, Burger, Button, NavLink } from '@mantine/core';
import { useDidUpdate, useDisclosure, useMediaQuery } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { type Query, useIsFetching } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Overview } from '../../server/dashboard/commands/overview.js';
import { SignInPage } from '../access/SignInPage.js';
import { StepUpDialog } from '../access/StepUpDialog.js';
import { useAccess } from '../access/use-access.js';
import { queryClient } from '../api/query-client.js';
import { useBrowserNotifications } from '../live/browser-notifications.js';
import { live } from '../live/live-socket.js';
import { useEvents, useLiveState } from '../live/use-live.js';
import { Answered } from '../parts/Answered.js';
import { Boundary } from '../parts/Boundary.js';
import { LastDone, saidNothing, useSaid } from '../parts/say.js';
import { Tag } from '../parts/Tag.js';
import { HelpDialog } from './HelpDialog.js';
import { useUndo } from './last-decision.js';
import { PAGES, Palette } from './Palette.js';
import { useKeys } from './use-keys.js';
import { useFreshOverview } from './use-overview.js';

const WAITING: Readonly<Record<string, (it: Overview) => number>> = {
  '/': ({ alerts }) => alerts.length,
  '/queue': ({ queue }) => queue,
  '/hidden': (it) => it.hidden_to_review,
  '/polls': ({ polls }) => polls.awaiting,
  '/mesh': ({ first }) =>
    first.find(({ what }) => what === 'peers')?.count ?? 0,
};

function Sidebar() {
  const { data } = useFreshOverview();
  const { pathname } = useLocation();
  const path = pathname.replace(/^\/admin/, '') || '/';
  return (
    <>
      {PAGES.map(([to, name]) => {
        const n = data === undefined ? 0 : (WAITING[to]?.(data) ?? 0);
        const here = isHere(path, to);
        return (
          <NavLink
            key={to}
            component={Link}
            to={to}
            label={name}
            active={here}
            variant="filled"
            aria-current={path === to ? 'page' : here || undefined}
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

function isHere(path: string, to: string): boolean {
  if (to === '/queue' && /^\/(item|bulk)/.test(path)) return true;
  return to === '/' ? path === '/' : path.startsWith(to);
}

const PATIENCE_MS = 4000;

/** Shown at once; the return is read aloud. */
function ConnectionBanner() {
  const state = useLiveState();
  const [slow, setSlow] = useState(false);
  // A short first connection needs no word.
  useEffect(() => {
    setSlow(false);
    if (state !== 'connecting') return;
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const lost = state === 'lost' || (state === 'connecting' && slow);
  return (
    <div role="status" aria-live="assertive" className="connection">
      {lost ? (
        <p className="banner">
          <strong>No live connection.</strong> What you see may be old. This
          page tries to connect again by itself and then catches up; commands
          still go through if the board can be reached.
        </p>
      ) : null}
    </div>
  );
}

export function Frame() {
  const access = useAccess();
  if (access.data?.signed_in === false) {
    return <SignInPage access={access.data} />;
  }
  if (access.data === undefined) {
    return (
      <main className="alone">
        <h1>Operators</h1>
        <Answered of={access} what="the dashboard">
          {() => null}
        </Answered>
      </main>
    );
  }
  return <SignedInFrame />;
}

const HEADER = 52;
/** Height of two lines under a small screen's header, in px. */
const STRIP = 56;
/** The UI kit's breakpoint `md`: menu beside the page. */
const WIDE = '(min-width: 62em)';

/** The next operator at this screen reads everything again. */
function notAccess({ queryKey }: Query): boolean {
  return queryKey[0] !== 'access';
}

function SignedInFrame() {
  const [menu, { toggle, close }] = useDisclosure(false);
  const [help, { toggle: toggleHelp, close: closeHelp }] = useDisclosure(false);
  const { pathname } = useLocation();
  const wide = useMediaQuery(WIDE, matchMedia(WIDE).matches);
  const strip = useSaid() !== null && !wide;
  useEffect(() => {
    live.start();
    return () => {
      live.stop();
      saidNothing();
      queryClient.removeQueries({ predicate: notAccess });
    };
  }, []);
  useEvents((event) => {
    // What was read before the connection was up may miss events.
    if (event.kind === 'snapshot' && !live.isGap()) {
      void queryClient.invalidateQueries({ predicate: notAccess });
    }
  });
  // Closes a small screen's menu when a page was chosen.
  useDidUpdate(close, [pathname]);
  useKeys({ '?': toggleHelp });
  useUndo();
  useBrowserNotifications();
  return (
    <AppShell
      header={{ height: HEADER + (strip ? STRIP : 0) }}
      navbar={{ width: 216, breakpoint: 'md', collapsed: { mobile: !menu } }}
      padding="md"
      transitionDuration={0}
    >
      <a className="skip" href="#content">
        Skip to the page
      </a>
      <AppShell.Header>
        <Header menu={menu} toggleMenu={toggle} showHelp={toggleHelp} />
        {wide ? null : <LastDone />}
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        <Sidebar />
        {wide ? <LastDone /> : null}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <ConnectionBanner />
        <Boundary of={pathname}>
          <Outlet />
        </Boundary>
      </AppShell.Main>
      <Palette />
      <HelpDialog opened={help} close={closeHelp} />
      <StepUpDialog />
    </AppShell>
  );
}

type Props = { menu: boolean; toggleMenu: () => void; showHelp: () => void };

function Header({ menu, toggleMenu, showHelp }: Props) {
  const { data } = useAccess();
  return (
    <div className="header">
      <Burger
        opened={menu}
        onClick={toggleMenu}
        hiddenFrom="md"
        size="sm"
        aria-label={menu ? 'Close the menu' : 'Open the menu'}
        aria-expanded={menu}
      />
      <span className="wordmark header-title">
        {data?.board.title ?? 'Operators'}
      </span>
      <Connection />
      <span className="grow" />
      <Button onClick={spotlight.open}>
        Find<span className="wide">&nbsp;… Ctrl K</span>
      </Button>
      <Button onClick={showHelp} aria-label="Help and keyboard">
        ?
      </Button>
      <Link to="/account" className="account">
        <span className="unseen-label">Your account: </span>
        {data?.operator?.name ?? 'Account'}
      </Link>
    </div>
  );
}

function Connection() {
  const state = useLiveState();
  const reading = useIsFetching() > 0;
  if (state === 'connecting') return <Tag>Connecting</Tag>;
  if (state === 'lost') return <Tag tone="bad">Offline</Tag>;
  return (
    <Tag tone="good" busy={reading}>
      Live
    </Tag>
  );
}
