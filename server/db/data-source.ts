import 'reflect-metadata';
import type { ClientBase } from 'pg';
import {
  type AfterQueryEvent,
  DataSource,
  type EntitySubscriberInterface,
  EventSubscriber,
} from 'typeorm';
import { entities } from './entities/index.js';
import { migrations } from './migrations/index.js';
import {
  CONNECT_MS,
  type Connection,
  EMBEDDED_ONLY,
  prepareSession,
  type SessionOptions,
} from './session.js';
import { cutOff, isConnectionLost } from './sql.js';

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

/** TypeORM would put a dead or demoted connection back into its pool. */
@EventSubscriber()
class UselessConnections implements EntitySubscriberInterface {
  async afterQuery(event: AfterQueryEvent): Promise<void> {
    const { success, error, queryRunner } = event;
    if (success) return;
    const isSilent = error?.message === 'Query read timeout';
    if (isSilent || isConnectionLost(error ?? {}))
      cutOff(await queryRunner.connect());
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
      ? { url: connection.url }
      : {
          host: connection.host,
          port: connection.port,
          username: connection.user,
          database: connection.database,
        }),
    entities,
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
