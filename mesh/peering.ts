import type { Router } from 'express';
import type { Context } from '../server/context.js';
import type { Connection } from '../server/db/session.js';
import type { Contract } from '../server/openapi/operation.js';
import type { PeerDesk } from '../server/peer-desk.js';
import { boardsContract } from './boards/contract.js';
import { boardsRouter } from './boards/router.js';
import { ownLogsContract } from './log/contract.js';
import { ownLogsRouter } from './log/own-logs.js';
import { Mesh } from './mesh.js';
import { mirrorContract } from './mirror/contract.js';
import { mirrorRouter } from './mirror/router.js';
import { peersContract } from './peers/contract.js';
import { peerDesk } from './peers/desk.js';
import { peersRouter } from './peers/router.js';
import type { PeerClient } from './pull/peer-client.js';
import { relayContract } from './relay/contract.js';
import { Elsewhere } from './relay/elsewhere.js';
import { relayRouter } from './relay/router.js';
import { witnessContract } from './witness/contract.js';
import { witnessRouter } from './witness/router.js';
import { Witness } from './witness/witness.js';

/** All that a node does with other boards: its routes and its workers. */
export type Peering = {
  log: Router;
  routers: Router[];
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
  const witness = new Witness({ ...ctx, client });
  const mesh = new Mesh({ ...node, ctx, client, seams: witness.seams });
  const elsewhere = new Elsewhere(ctx, client);
  return {
    log: ownLogsRouter(ctx),
    routers: [
      mirrorRouter(ctx),
      witnessRouter(ctx),
      peersRouter(ctx),
      relayRouter(ctx),
      boardsRouter(ctx),
    ],
    contracts: [
      ownLogsContract(ctx.board.origin),
      relayContract(setting),
      mirrorContract(),
      witnessContract(setting),
      peersContract(setting),
      boardsContract(setting),
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
