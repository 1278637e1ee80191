/** Test files below `test/server` that need one process, and why. */
export const ONE_PROCESS: Readonly<Record<string, string>> = {};
