import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import { OverviewPage } from './pages/overview/OverviewPage.js';
import { QueuePage } from './pages/queue/QueuePage.js';
import { Broken } from './parts/Boundary.js';
import { Page } from './parts/Page.js';
import { FindPage } from './shell/FindPage.js';
import { Frame } from './shell/Frame.js';
import { queryOf } from './shell/use-address.js';

type PageFile = () => Promise<Record<string, RouteComponent>>;

/** Loaded when it is opened first. */
const fetched = (load: PageFile) =>
  lazyRouteComponent(async () => {
    const [page] = Object.values(await load());
    return { default: page as RouteComponent };
  });

const root = createRootRoute({ notFoundComponent: NotFound });

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: fetched(() => import('./access/SetUpPage.js')),
});

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
});

const page = (path: string, component: RouteComponent) =>
  createRoute({ getParentRoute: () => frame, path, component });

const lazy = (path: string, load: PageFile) => page(path, fetched(load));

const pages = [
  page('/', OverviewPage),
  page('/queue', QueuePage),
  page('/find', FindPage),
  page('$', NotFound),
  lazy('/item/$subject', () => import('./pages/item/ItemPage.js')),
  lazy('/bulk', () => import('./pages/bulk/BulkPage.js')),
  lazy('/bulk/$bulk', () => import('./pages/bulk/BulkPage.js')),
  lazy('/hidden', () => import('./pages/hidden/HiddenPage.js')),
  lazy('/decisions', () => import('./pages/decisions/DecisionsPage.js')),
  lazy('/polls', () => import('./pages/polls/PollsPage.js')),
  lazy('/usefulness', () => import('./pages/usefulness/UsefulnessPage.js')),
  lazy('/mesh', () => import('./pages/mesh/MeshPage.js')),
  lazy('/system', () => import('./pages/system/SystemPage.js')),
  lazy('/operators', () => import('./pages/operators/OperatorsPage.js')),
  lazy(
    '/settings/notifications',
    () => import('./pages/notifications/NotificationsPage.js'),
  ),
  lazy(
    '/settings/watch-rules',
    () => import('./pages/watch-rules/WatchRulesPage.js'),
  ),
  lazy('/account', () => import('./pages/account/AccountPage.js')),
];

/** Plain `name=value` pairs, as people write them. */
export const router = createRouter({
  routeTree: root.addChildren([setUp, frame.addChildren(pages)]),
  basepath: '/admin',
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = queryOf(search);
    return text === '' ? '' : `?${text}`;
  },
  defaultErrorComponent: Broken,
});

function NotFound() {
  return (
    <Page title="There is no such page">
      <p>
        The address may be mistyped. <Link to="/">Go to the overview</Link>, or{' '}
        <Link to="/find">find a message</Link>.
      </p>
    </Page>
  );
}
