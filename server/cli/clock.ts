import { publicTime, systemClock } from '../clock.js';
import { parseConfig } from '../config.js';
import { audited, commandLineActor } from '../dashboard/audit.js';
import { CLOCK_ACCEPT } from '../operations/clock-guard.js';
import { opened } from './operator.js';
import { type JsonOption, print } from './output.js';

/** Nodes on this database then open writes (spec/board.md §16.3). */
export async function acceptClock({ json = false }: JsonOption): Promise<void> {
  const config = parseConfig(process.env);
  const at = await opened(config, json, (db) =>
    audited(
      { writes: db, clock: systemClock },
      commandLineActor(),
      CLOCK_ACCEPT,
      (_tx, now) => {
        const answer = publicTime(now);
        const after = { clock: answer };
        return Promise.resolve({ answer, subject: 'board', after });
      },
    ),
  );
  print(
    json,
    { ok: true, clock: at },
    `The time ${at} is accepted. A node whose clock had jumped ahead to it follows within two seconds, and opens writes.`,
  );
}
