import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';

const waits = new Set<{ what: string }>();
const requests = new Map<unknown, string>();

subscribe('http.client.request.start', (message) => {
  const { request } = message as { request: ClientRequest };
  const { method, host, path } = request;
  requests.set(request, `an answer to ${method} ${host}${path}`);
  request.once('close', () => requests.delete(request));
});

/** Runs `work`; a test that hangs in it names `what`. */
export async function waitFor<T>(
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const wait = { what };
  waits.add(wait);
  return await work().finally(() => waits.delete(wait));
}

/** Says what a test waits for, a second before Mocha ends it. */
export function watchForHang(test: Mocha.Runnable): () => void {
  const timer = setTimeout(() => {
    const all = [...[...waits].map(({ what }) => what), ...requests.values()];
    const named = all.join('; ') || process.getActiveResourcesInfo().join(', ');
    console.error(`"${test.fullTitle()}" hangs. It waits for: ${named}`);
  }, test.timeout() - 1000);
  return () => clearTimeout(timer);
}
