import 'reflect-metadata';
import type { ClientBase } from 'pg';
import { DataSource, DefaultNamingStrategy } from 'typeorm';
import { UselessConnections } from './connection.sql.js';
import * as tables from './entities/index.js';
import { migrations } from './migrations/index.js';
import {
  CONNECT_MS,
  type Connection,
  EMBEDDED_ONLY,
  prepareSession,
  type SessionOptions,
} from './session.js';

export type SourceOptions = Omit<SessionOptions, 'name'> & {
  /** The first connection is made by `initialize`. */
  max: number;
  /** Gets the errors of idle connections, which pg would throw otherwise. */
  onPoolError: (error: Error) => void;
  /** Stops at an older schema, for a backup of that time. */
  migrations?: typeof migrations;
  /** In ms, until a statement has to be answered; else {@link QUERY_MS}. */
  answerMs?: number;
  /** Statements that are sent together need no round trip each. */
  inOneTrip?: boolean;
  /** In s, until a connection is replaced; else {@link LIFE_S}. */
  lifeSeconds?: number;
};

const QUERY_MS = 6000;
/** A server process keeps the memory of its busiest time. */
const LIFE_S = 60;

const snakeCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `createdAt` is the column `created_at`, a relation `message` `message_id`. */
class SnakeCase extends DefaultNamingStrategy {
  override columnName(property: string, given: string | undefined): string {
    return given ?? snakeCase(property);
  }

  override joinColumnName(relation: string, referenced: string): string {
    return snakeCase(`${relation}_${referenced}`);
  }
}

/** Statements that take too long end as 503 (spec/operators.md §R6.4). */
export function createDataSource(
  connection: Connection,
  options: SourceOptions,
): DataSource {
  const { patient = false, timeoutFactor = 1, answerMs = QUERY_MS } = options;
  return new DataSource({
    type: 'postgres',
    ...('url' in connection
      ? connection
      : { ...connection, username: connection.user }),
    entities: Object.values<new () => object>(tables),
    namingStrategy: new SnakeCase(),
    subscribers: [UselessConnections],
    migrations: options.migrations ?? migrations,
    migrationsTransactionMode: 'each',
    synchronize: false,
    installExtensions: false,
    parseInt8: true, // ids are numbers
    poolErrorHandler: options.onPoolError,
    extra: {
      ...('url' in connection ? {} : EMBEDDED_ONLY),
      max: options.max,
      connectionTimeoutMillis: CONNECT_MS * timeoutFactor,
      ...(patient ? {} : { query_timeout: answerMs * timeoutFactor }),
      keepAlive: true,
      maxLifetimeSeconds: options.lifeSeconds ?? LIFE_S,
      pipeline: options.inOneTrip ?? false,
      // Awaited before the pool hands the connection out.
      onConnect: async (client: ClientBase) => {
        // Between the pool's listeners and TypeORM's is a gap, in which an
        // error would end the process.
        client.on('error', () => {});
        await prepareSession(client, { ...options, name: 'reserve-board' });
      },
    },
  });
}
