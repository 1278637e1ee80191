import type { LimitName } from '../../../../server/limits.js';
import { FEED_STYLE, ICON, STYLE } from '../../../../server/site/assets.js';
import type { TestBoard } from '../../../support/board.js';
import {
  type OpenApi,
  type OperationObject,
  operationsOf,
} from '../../../support/described.js';
import { mountedRoutes, templateOf } from '../../../support/routes.js';

/** One method of one path, with what the board says of it. */
export type Declared = {
  method: string;
  /** As OpenAPI writes it. */
  path: string;
  /** Null for pages and texts, which the description leaves out. */
  operation: OperationObject | null;
  spends: readonly LimitName[];
};

const READ: readonly LimitName[] = ['reads_per_network_minute'];

export const isTile = (path: string): boolean => path.includes('/tile/');
/** It has 256 entries, which no furnished board has. */
export const isFullTile = (path: string): boolean =>
  isTile(path) && path.endsWith('{N}');
export const isAsset = (path: string): boolean =>
  [STYLE.path, FEED_STYLE.path, ICON.path, '/favicon.ico'].includes(path);

/** The route that answers a described path: that of tiles answers several. */
export function routeOf(path: string): string {
  return path
    .replace(/\/tile\/entries\/\{N\}.*$/, '/tile/entries/*n')
    .replace(/\/tile\/\{L\}.*$/, '/tile/*n');
}

/** The methods of every path that a request can reach, OPTIONS aside. */
export function methodsOf(test: TestBoard): Map<string, string[]> {
  return new Map(
    mountedRoutes(test.board.app).map(({ path, methods }) => [
      templateOf(path),
      methods.filter((method) => method !== 'options'),
    ]),
  );
}

/** Every method of every path, described or only mounted. */
export async function declaredRoutes(test: TestBoard): Promise<Declared[]> {
  const { text } = await test.as().get('/openapi.json').expect(200);
  const described = operationsOf(JSON.parse(text) as OpenApi).map((one) => ({
    ...one,
    spends: one.operation['x-limits'] as LimitName[],
  }));
  const names = new Set(
    described.map(({ method, path }) =>
      nameOf({ method, path: routeOf(path) }),
    ),
  );
  const mounted = [...methodsOf(test)].flatMap(([path, methods]) =>
    methods.map((method) => ({ method, path })),
  );
  const report = described.find(({ path }) => path === '/api/reports');
  const spendsOf = ({ method, path }: Pick<Declared, 'method' | 'path'>) =>
    // A form of the board's own pages, which is a report.
    method === 'post' && path === '/report'
      ? (report?.spends ?? [])
      : spentBy(path);
  const others = mounted
    .filter((one) => !names.has(nameOf(one)))
    .map((one) => ({ ...one, operation: null, spends: spendsOf(one) }));
  return [...described, ...others];
}

export function nameOf({ method, path }: Pick<Declared, 'method' | 'path'>) {
  return `${method} ${path}`;
}

/** What a read spends that is not described. */
function spentBy(path: string): readonly LimitName[] {
  return isAsset(path) ? [] : READ;
}
