import { parseConfig } from './server/config.js';
import { dataSourceForTools } from './server/db/connect.js';
import { silentLogger } from './server/logger.js';

/**
 * For the TypeORM command line (`npm run typeorm -- migration:show`): the
 * database at `DATABASE_URL`, or the embedded one below `DATA_DIR`, as it is.
 */
export default await dataSourceForTools(parseConfig(process.env), silentLogger);
