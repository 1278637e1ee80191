import type { Endpoint } from '../http/endpoint.js';
import type { Setting } from '../http/openapi/operation.js';

/** One path of the board, as the documents list it. */
export type RouteLine = {
  method: 'GET' | 'POST';
  path: string;
  parameters?: string;
  about: string;
};

/** A line for each endpoint that says what it is about, in their order. */
export function routeLines(
  endpoints: readonly Endpoint[],
  setting: Setting,
): RouteLine[] {
  return endpoints.flatMap((endpoint): RouteLine[] => {
    const { about } = endpoint;
    if (about === null) return [];
    const { method, path, query } = endpoint.operation(setting);
    const parameters = Object.keys(query).join(', ');
    return [
      {
        method: method === 'get' ? 'GET' : 'POST',
        path,
        ...(parameters === '' ? {} : { parameters }),
        about,
      },
    ];
  });
}
