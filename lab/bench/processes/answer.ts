export function answer<Q>(
  handle: (question: Q) => Promise<unknown>,
  close: () => Promise<void> = async () => {},
): void {
  process.on('message', (message) => {
    const { id, question } = message as { id: number; question: Q };
    handle(question).then(
      (result) => process.send?.({ id, answer: result }),
      (error: Error) => process.send?.({ id, error: error.stack }),
    );
  });
  process.once('disconnect', () => {
    const end = () => process.exit();
    close().then(end, end);
  });
  // Ctrl-C reaches the whole group; the bench itself says when to end.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {});
  }
}
