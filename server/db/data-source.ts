import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { entities } from './entities/index.js';
import { migrations } from './migrations/index.js';
import { type PoolOptions, poolSettings } from './pool.js';
import type { Connection } from './session.js';

type Options = Omit<PoolOptions, 'patience'> & {
  /** Stops at an older schema, for a backup of that time. */
  migrations?: typeof migrations;
};

/**
 * The database as migrations and tools see it. A node works on pools of its own
 * (`pool.ts`) and loads this only where its schema has to change.
 */
export function createDataSource(
  connection: Connection,
  options: Options,
): DataSource {
  return new DataSource({
    type: 'postgres',
    ...('url' in connection
      ? { url: connection.url }
      : {
          host: connection.host,
          port: connection.port,
          username: connection.user,
          database: connection.database,
        }),
    entities,
    migrations: options.migrations ?? migrations,
    migrationsTransactionMode: 'each',
    synchronize: false,
    installExtensions: false,
    parseInt8: true,
    poolErrorHandler: options.onPoolError,
    extra: poolSettings(options),
  });
}
