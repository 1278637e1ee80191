import { type Asked, httpProxy } from '../../support/http-proxy.js';

export type Fate =
  | 'pass'
  | 'lose-answer'
  | 'lose-request'
  | { status: number; body: string; headers?: Record<string, string> }
  | { change: (text: string) => string };

export type CuttingProxy = Awaited<ReturnType<typeof cuttingProxy>>;

export const fatesOf =
  (path: string, ...fates: Fate[]) =>
  (request: Asked, nth: number): Fate =>
    request.path === path ? (fates[nth] ?? 'pass') : 'pass';

/** A proxy before a board that does to each request what `fate` says. */
export async function cuttingProxy(
  target: string,
  fate: (request: Asked, nth: number) => Fate,
) {
  const seen: Asked[] = [];
  const to = (path: string) => seen.filter((one) => one.path === path);
  const proxy = await httpProxy(
    target,
    async (request, honest) => {
      const nth = to(request.path).length;
      seen.push(request);
      const what = fate(request, nth);
      if (what === 'lose-request') return null;
      if (typeof what === 'object' && 'status' in what) return what;
      const answer = await honest();
      if (what === 'lose-answer') return null;
      if (what === 'pass') return answer;
      return { ...answer, body: what.change(answer.body) };
    },
    { 'X-Forwarded-For': '203.0.113.1' },
  );
  return { ...proxy, seen, to };
}
