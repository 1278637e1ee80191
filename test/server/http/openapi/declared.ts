import type { LimitName } from '../../../../server/limits.js';
import { FEED_STYLE, ICON, STYLE } from '../../../../server/site/assets.js';
import type { TestBoard } from '../../../support/board.js';
import {
  type Described,
  type OpenApi,
  operationsOf,
} from '../../../support/described.js';
import { mountedRoutes, templateOf } from '../../../support/routes.js';

export type Declared = Described & { spends: readonly LimitName[] };

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

export async function declaredRoutes(test: TestBoard): Promise<Declared[]> {
  const { text } = await test.as().get('/openapi.json').expect(200);
  return operationsOf(JSON.parse(text) as OpenApi).map((one) => ({
    ...one,
    spends: one.operation['x-limits'] as LimitName[],
  }));
}

export function nameOf({ method, path }: Pick<Declared, 'method' | 'path'>) {
  return `${method} ${path}`;
}
