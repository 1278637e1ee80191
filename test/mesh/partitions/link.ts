import { startTcpGate } from '../../support/tcp-gate.js';

export type Link = Awaited<ReturnType<typeof linkTo>>;

/** Of a request that begins here: nobody asks twice at once in one socket. */
function pathOf(chunk: Buffer): string | undefined {
  return /^[A-Z]+ ([^ ?]+)/.exec(chunk.toString('latin1', 0, 200))?.[1];
}

export async function linkTo(target: string) {
  /** Bytes that came back, by the path that was asked for, without its query. */
  const receivedOf = new Map<string, number>();
  let isCut = false;
  const gate = await startTcpGate(target, () => {
    let path = '';
    return {
      asked: (chunk) => {
        path = pathOf(chunk) ?? path;
      },
      answered: ({ length }) => {
        receivedOf.set(path, (receivedOf.get(path) ?? 0) + length);
      },
    };
  });
  return {
    ...{ url: gate.url, stop: gate.stop, receivedOf },
    get received() {
      return [...receivedOf.values()].reduce((sum, bytes) => sum + bytes, 0);
    },
    /** `drop`: nothing passes; `cut`: connections are broken, none is new. */
    partition: (how: 'drop' | 'cut') => {
      isCut = how === 'cut';
      if (isCut) gate.leadTo('tcp://127.0.0.1:9');
      else gate.hold();
    },
    heal: () => {
      if (isCut) gate.leadTo(target);
      isCut = false;
      gate.pass();
    },
  };
}
