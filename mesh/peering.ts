import type { Router } from 'express';
import type { Context } from '../server/context.js';
import type { Connection } from '../server/db/session.js';
import type { Endpoint } from '../server/http/endpoint.js';
import type { Contract } from '../server/http/openapi/operation.js';
import { boardsEndpoints, boardsSchemas } from './boards/index.js';
import { Mesh } from './mesh.js';
import type { PeerDesk } from './mesh-ports.js';
import { peerDesk } from './peers/desk.js';
import { peersEndpoints, peersSchemas } from './peers/index.js';
import type { PeerClient } from './pull/fetch/peer-client.js';
import { relayEndpoints, relaySchemas } from './relay/index.js';
import { Elsewhere } from './relay/relay-service.js';
import { logSchemas, ownLogsOperations } from './serve/log/index.js';
import { ownLogsRouter } from './serve/log/own-logs.js';
import { mirrorOperations } from './serve/mirror/index.js';
import { mirrorRouter } from './serve/mirror/router.js';
import { witnessEndpoints, witnessSchemas } from './witness/index.js';
import { Witness } from './witness/witness.js';

/** All that a node does with other boards: its routes and its workers. */
export type Peering = {
  log: Router;
  routers: Router[];
  endpoints: readonly Endpoint[];
  contracts: Contract[];
  witness: Witness;
  mesh: Mesh;
  elsewhere: Elsewhere;
  desk: PeerDesk;
  /** Begins the workers; for processes with the role `mesh`. */
  start(): void;
  /** Ends pulling and handing over; what they were storing is whole. */
  stopWork(): Promise<void>;
};

type Parts = {
  ctx: Context;
  client: PeerClient;
  connection: Connection;
  /** This process's tag among those on one database. */
  instance: string;
};

export function peering({ ctx, client, ...node }: Parts): Peering {
  const setting = { limits: ctx.limits, baseUrl: ctx.config.baseUrl };
  const of = (
    endpoints: readonly Endpoint[],
    schemas: Contract['schemas'],
  ): Contract => ({
    schemas,
    operations: endpoints.map((one) => one.operation(setting)),
  });
  const witness = new Witness({ ...ctx, client });
  const mesh = new Mesh({ ...node, ctx, client, seams: witness.seams });
  const elsewhere = new Elsewhere(ctx, client);
  return {
    log: ownLogsRouter(ctx),
    routers: [mirrorRouter(ctx)],
    endpoints: [
      ...witnessEndpoints,
      ...peersEndpoints,
      ...relayEndpoints,
      ...boardsEndpoints,
    ],
    contracts: [
      {
        schemas: logSchemas,
        operations: ownLogsOperations(setting, ctx.board.origin),
      },
      of(relayEndpoints, relaySchemas),
      { schemas: {}, operations: mirrorOperations(setting) },
      of(witnessEndpoints, witnessSchemas),
      of(peersEndpoints, peersSchemas),
      of(boardsEndpoints, boardsSchemas),
    ],
    witness,
    mesh,
    elsewhere,
    desk: peerDesk({ ...ctx, db: ctx.writes, client }),
    start: () => {
      elsewhere.start();
      mesh.start();
      witness.start();
    },
    stopWork: async () => {
      await mesh.stop();
      await elsewhere.stop();
      await client.close();
    },
  };
}
