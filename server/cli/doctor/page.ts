import type { Check } from './check.js';

export type Page = { id: string; title: string };

type Rule = { page: Page; fits: (found: Found) => boolean };
type Found = {
  /** A check of this name failed, or mentions this. */
  says: (name: RegExp, detail?: RegExp) => boolean;
  hasBackup: boolean;
};

const page = (id: string, title: string) => ({ id, title });
const NO_DATABASE = /holds no entry|has 0 entries/;

/** The first match counts. */
const RULES: readonly Rule[] = [
  {
    page: page('backup-without-seed', 'Backup without seed'),
    fits: ({ says, hasBackup }) =>
      hasBackup &&
      (says(/^board seed$/, /is missing/) ||
        says(/^backup /, /without the seed/)),
  },
  {
    page: page('peers-only', 'Peers only'),
    fits: ({ says }) => says(/^board seed$/, /is missing/),
  },
  {
    page: page('damaged', 'Damaged database'),
    fits: ({ says }) => says(/^(entries|ledger)$/),
  },
  {
    page: page('quarantined', 'Quarantined by peers'),
    fits: ({ says }) =>
      says(/^(peer |log guard$)/, /quarantined|another history/),
  },
  {
    page: page('backup-and-seed', 'Backup and seed'),
    fits: ({ says, hasBackup }) =>
      says(/^log guard$/, NO_DATABASE) && hasBackup,
  },
  {
    page: page('seed-only', 'Seed only'),
    fits: ({ says }) => says(/^log guard$/, NO_DATABASE),
  },
  {
    page: page('last-minutes', 'The last minutes'),
    fits: ({ says }) => says(/^(log guard$|peer )/, /log has \d+ entries/),
  },
  {
    page: page('clock', 'Wrong clock'),
    fits: ({ says }) => says(/^clocks?$/),
  },
  { page: page('disk', 'Full disk'), fits: ({ says }) => says(/^disk$/) },
  {
    page: page('upgrade', 'An upgrade that failed'),
    fits: ({ says }) => says(/^schema$/),
  },
  {
    page: page('blocked', 'Blocked by a board'),
    fits: ({ says }) => says(/^peer /, /does not list it/),
  },
];

/** Null: none is needed. */
export function pageFor(
  checks: readonly Check[],
  hasBackup: boolean,
): Page | null {
  const faults = checks.filter(({ state }) => state !== 'ok');
  const says = (name: RegExp, detail = /^/) =>
    faults.some((one) => name.test(one.name) && detail.test(one.detail));
  const found = RULES.find(({ fits }) => fits({ says, hasBackup }));
  return found?.page ?? null;
}

export const PAGES = RULES.map((rule) => rule.page);
