export const ANSWER_MS = 5000;

/** A text: the code of a failure. */
export type Asked = { status: number; headers: Headers; text: string } | string;

/** Follows no redirect. */
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
