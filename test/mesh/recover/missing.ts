const NO_DATABASE = { DATA_DIR: /no database in .*, or set DATA_DIR/ };
const NO_SEED = { DATA_DIR: /board\.seed does not exist.* DATA_DIR/ };
const NOT_ASKED = /was not asked .*MESH_ALLOW_HTTP and MESH_ALLOW_PRIVATE/;
const PRIVATE = { MESH_ALLOW_HTTP: NOT_ASKED, MESH_ALLOW_PRIVATE: NOT_ASKED };
const SIGNED = { BASE_URL: /peer add http:\/\/127\.0\.0\.1:\d+ --confirm/ };
const UNNAMED = { BASE_URL: /a log of localhost:.* set the BASE_URL or/ };
const NAMED = { BASE_URL: /mirrors this key as .* set BOARD_NAME|are open/ };

/** What commands of the pages say where one setting alone is left out. */
const MISSING: Readonly<Record<string, Record<string, RegExp>>> = {
  backup: NO_SEED,
  'doctor --deep': { DATA_DIR: /is here\. .* do not start it/ },
  'keys rotate': { ...NO_SEED, ...SIGNED },
  'log new-generation --from': { ...NO_SEED, ...SIGNED },
  'log new-generation --new-seed --from': { ...UNNAMED, ...PRIVATE },
  'log new-generation --new-seed --yes': { DATA_DIR: /Nothing is known of/ },
  'log restore': { ...NO_SEED, ...PRIVATE, ...NAMED },
  migrate: { DATA_DIR: /is a new database\. If .* set its DATA_DIR/ },
  'operator invite': NO_DATABASE,
  'peer policy': NO_DATABASE,
  restore: NO_SEED,
  'verify-backup': { DATA_DIR: /seal was not checked: no seed is in DATA/ },
};

export function missingOf(line: string): [setting: string, says: RegExp][] {
  const isOf = (name: string) => line.startsWith(`reserve-board ${name}`);
  const found = Object.keys(MISSING).find(isOf) ?? '';
  return line.includes('--dry-run') ? [] : Object.entries(MISSING[found] ?? {});
}
