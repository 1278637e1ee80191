import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { OverviewPage } from './pages/overview/OverviewPage.js';
import { QueuePage } from './pages/queue/QueuePage.js';
import { Failure } from './parts/Failure.js';
import { FindPage } from './shell/FindPage.js';
import { Frame } from './shell/Frame.js';
import { NotFound } from './shell/NotFound.js';
import { Root } from './shell/Root.js';

const root = createRootRoute({ component: Root, notFoundComponent: NotFound });

const setUp = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  component: lazyRouteComponent(
    () => import('./access/SetUpPage.js'),
    'SetUpPage',
  ),
});

const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
});

const page = <P extends string>(
  path: P,
  component: Parameters<typeof createRoute>[0]['component'] & object,
) => createRoute({ getParentRoute: () => frame, path, component });

const pages = [
  page('/', OverviewPage),
  page('/queue', QueuePage),
  page('/find', FindPage),
  page(
    '/item/$subject',
    lazyRouteComponent(() => import('./pages/item/ItemPage.js'), 'ItemPage'),
  ),
  page(
    '/hidden',
    lazyRouteComponent(
      () => import('./pages/hidden/HiddenPage.js'),
      'HiddenPage',
    ),
  ),
  page(
    '/decisions',
    lazyRouteComponent(
      () => import('./pages/decisions/DecisionsPage.js'),
      'DecisionsPage',
    ),
  ),
  page(
    '/polls',
    lazyRouteComponent(() => import('./pages/polls/PollsPage.js'), 'PollsPage'),
  ),
  page(
    '/usefulness',
    lazyRouteComponent(
      () => import('./pages/usefulness/UsefulnessPage.js'),
      'UsefulnessPage',
    ),
  ),
  page(
    '/mesh',
    lazyRouteComponent(() => import('./pages/mesh/MeshPage.js'), 'MeshPage'),
  ),
  page(
    '/system',
    lazyRouteComponent(
      () => import('./pages/system/SystemPage.js'),
      'SystemPage',
    ),
  ),
  page(
    '/operators',
    lazyRouteComponent(
      () => import('./pages/operators/OperatorsPage.js'),
      'OperatorsPage',
    ),
  ),
  page(
    '/account',
    lazyRouteComponent(
      () => import('./pages/account/AccountPage.js'),
      'AccountPage',
    ),
  ),
];

/** Addresses hold plain `name=value` pairs, as people write and share them. */
export const router = createRouter({
  routeTree: root.addChildren([setUp, frame.addChildren(pages)]),
  basepath: '/admin',
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const pairs = Object.entries(search)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [name, String(value)]);
    const text = new URLSearchParams(pairs).toString();
    return text === '' ? '' : `?${text}`;
  },
  defaultErrorComponent: ({ error }) => <Failure error={error} />,
});
