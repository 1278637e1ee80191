import { parseConfig } from '../../server/config.js';
import { openDatabase } from '../../server/db/connect.js';
import { silentLogger } from '../../server/logger.js';

const PATIENCE = 10;

/** What a start says of a database: "opened", or why it refuses it. */
export async function openingOf(url: string): Promise<string> {
  const config = parseConfig({ DATABASE_URL: url });
  return await openDatabase(config, silentLogger, PATIENCE).then(
    ({ close }) => close().then(() => 'opened'),
    (error: Error) => error.message,
  );
}
