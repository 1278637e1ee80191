import type { Response } from 'express';

/** A reader that takes nothing for so long is let go. */
const STALLED_MS = 10_000;

/**
 * Writes one piece of a long answer at the reader's pace, so that no answer is
 * held in memory. False when the reader is gone.
 */
export async function writeAtPace(
  res: Response,
  piece: string | Buffer,
): Promise<boolean> {
  if (res.destroyed) return false;
  if (res.write(piece)) return true;
  const stalled = setTimeout(() => res.destroy(), STALLED_MS);
  await new Promise<void>((resolve) => {
    const settle = () => {
      clearTimeout(stalled);
      res.off('drain', settle).off('close', settle);
      resolve();
    };
    res.on('drain', settle).on('close', settle);
  });
  return !res.destroyed;
}
