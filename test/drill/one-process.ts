/** Test files below `test/server` that need one process, and why. */
export const ONE_PROCESS: Readonly<Record<string, string>> = {
  'votes/vote-hiding.test.ts':
    'counts the hints that one process gives to its own dashboards; others hear of it by NOTIFY',
};
