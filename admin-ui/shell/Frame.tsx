import { AppShell } from '@mantine/core';
import { useDidUpdate, useDisclosure, useMediaQuery } from '@mantine/hooks';
import type { Query } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { SignInPage } from '../access/SignInPage.js';
import { StepUpDialog } from '../access/StepUpDialog.js';
import { useAccess } from '../access/use-access.js';
import { queryClient } from '../api/query-client.js';
import { useBrowserNotifications } from '../live/browser-notifications.js';
import { live } from '../live/live-socket.js';
import { useEvents } from '../live/use-live.js';
import { Answered } from '../parts/Answered.js';
import { Boundary } from '../parts/Boundary.js';
import { LastDone, saidNothing, useSaid } from '../parts/say.js';
import { ConnectionBanner } from './ConnectionBanner.js';
import { Header } from './Header.js';
import { HelpDialog } from './HelpDialog.js';
import { useUndo } from './last-decision.js';
import { Palette } from './Palette.js';
import { Sidebar } from './Sidebar.js';
import { useKeys } from './use-keys.js';

/** Everything around a page; without a session, the sign-in in its place. */
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
/** Of two lines of what was done last, under the header of a small screen. */
const STRIP = 56;
/** Where the menu is beside the page: the breakpoint `md` of the UI kit. */
const WIDE = '(min-width: 62em)';

/** All that an operator has read; the next one at this screen reads it again. */
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
    // What was read before the connection stood may miss what came between.
    if (event.kind === 'snapshot' && !live.isGap()) {
      void queryClient.invalidateQueries({ predicate: notAccess });
    }
  });
  // The menu of a small screen gives way to the page that was chosen.
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
