/** Supervisors signal a process and then its group: that is one wish. */
const ONE_WISH_MS = 1000;

export type StopSignals = {
  /** Resolves at the first SIGTERM or SIGINT. */
  asked: Promise<void>;
  /** Resolves at one that comes a second or more after it. */
  again: Promise<void>;
  isAsked(): boolean;
};

/** From now on SIGTERM and SIGINT end this process only by these promises. */
export function stopSignals(): StopSignals {
  let ask = () => {};
  let hurry = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const again = new Promise<void>((resolve) => {
    hurry = resolve;
  });
  let first: number | null = null;
  const onSignal = () => {
    const now = performance.now();
    if (first === null) ask();
    else if (now - first >= ONE_WISH_MS) hurry();
    first ??= now;
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  return { asked, again, isAsked: () => first !== null };
}
