export const running = new Set<{ stop(): Promise<void> }>();

/** Stops the boards that a test file left. @throws Error for any. */
export async function stopLeftBoards(): Promise<void> {
  const left = [...running];
  for (const board of left) await board.stop();
  if (left.length > 0)
    throw new Error(`${left.length} boards were left running`);
}
