import type { Express, Router } from 'express';

export type MountedRoute = { path: string; methods: string[] };

/** What Express keeps of a layer; its types say less. */
type Layer = {
  rawPath: unknown;
  handle: { stack?: Layer[] };
  route?: { path: unknown; stack: { method: string | undefined }[] };
};

export function mountedRoutes(app: Express): MountedRoute[] {
  return routesIn((app.router as unknown as { stack: Layer[] }).stack, '');
}

/** The same of one router that is not mounted. */
export function routesOf(router: Router): MountedRoute[] {
  return routesIn((router as unknown as { stack: Layer[] }).stack, '');
}

function routesIn(stack: readonly Layer[], prefix: string): MountedRoute[] {
  return stack.flatMap((layer) => {
    const { route, handle, rawPath } = layer;
    if (route !== undefined) {
      const methods = answered(route.stack.map(({ method }) => method));
      return [{ path: prefix + text(route.path), methods }];
    }
    if (handle.stack === undefined) return [];
    const mount = text(rawPath);
    return routesIn(handle.stack, mount === '/' ? prefix : prefix + mount);
  });
}

/** Of a path: `route()` mounts GET, POST and OPTIONS in this order. */
function answered(stack: readonly (string | undefined)[]): string[] {
  const named = stack.filter((method) => method !== undefined);
  if (!named.includes('options')) return [...new Set(named)];
  const own = /(?:get )*(?:post )*options$/.exec(named.join(' ')) ?? [''];
  return [...new Set(own[0].split(' '))];
}

function text(path: unknown): string {
  if (typeof path === 'string') return path;
  throw new Error(`a route without one path: ${String(path)}`);
}

/** `/api/thread/{id}` of `/api/thread/:id`. */
export function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}
