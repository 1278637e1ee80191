export const ANSWER_MS = 5000;

/** An answer; or the code of why there is none. */
export type Asked = { status: number; headers: Headers; text: string } | string;

/** GETs an address; nothing is followed. */
export async function ask(
  url: string,
  headers: Record<string, string> = {},
): Promise<Asked> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const init = { headers, signal, redirect: 'manual' } as const;
    const answer = await fetch(url, init);
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text };
  } catch (error) {
    const { cause, name } = error as {
      cause?: { code?: string };
      name: string;
    };
    return cause?.code ?? name;
  }
}
