import type { Endpoint } from '../server/http/endpoint.js';
import type { Contract } from '../server/http/openapi/operation.js';
import { boardsEndpoints, boardsSchemas, mirrors } from './boards/index.js';
import { Mesh, type MeshParts } from './mesh.js';
import { peersEndpoints, peersSchemas } from './peers/index.js';
import { peerAdmin } from './peers/peer-admin.js';
import { relayEndpoints, relaySchemas } from './relay/index.js';
import { RelayService } from './relay/relay-service.js';
import {
  logSchemas,
  mirrorOperations,
  ownLogsOperations,
} from './serve/index.js';
import { mirrorRouter, ownLogsRouter } from './serve/routers.js';
import { witnessEndpoints, witnessSchemas } from './witness/index.js';
import { Witness } from './witness/witness.js';

export type Peering = ReturnType<typeof peering>;

export function peering({ ctx, client, ...node }: Omit<MeshParts, 'hooks'>) {
  const setting = { limits: ctx.limits, baseUrl: ctx.config.baseUrl };
  const of = (
    endpoints: readonly Pick<Endpoint, 'operations'>[],
    schemas: Contract['schemas'],
  ): Contract => ({
    schemas,
    operations: endpoints.flatMap((one) => one.operations(setting)),
  });
  const witness = new Witness({ ...ctx, client });
  const mesh = new Mesh({ ...node, ctx, client, hooks: witness.hooks });
  const relay = new RelayService(ctx, client);
  return {
    mirrors: mirrors(ctx),
    log: ownLogsRouter(ctx),
    routers: [mirrorRouter(ctx)],
    endpoints: [
      ...witnessEndpoints,
      ...peersEndpoints,
      ...relayEndpoints,
      ...boardsEndpoints,
    ],
    contracts: () => [
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
    relay,
    admin: peerAdmin({ ...ctx, db: ctx.writes, client }),
    /** For processes with the role `mesh`. */
    start: () => {
      relay.outbox.start();
      mesh.start();
      witness.start();
    },
    /** A page is stored whole or not at all. */
    stopWork: async () => {
      await mesh.stop();
      await relay.outbox.stop();
      await client.close();
    },
  };
}
