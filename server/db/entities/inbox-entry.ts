import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A message answers another, once per pair (spec/board.md §2.23). Entries of
 * references go when the naming text is removed.
 */
@Entity({ name: 'inbox_entry' })
@Index('inbox_entry_agent', ['toAgent', 'messageId'], {
  where: 'to_agent IS NOT NULL',
})
export class InboxEntry {
  /** The message that is answered. */
  @PrimaryColumn({ type: 'bigint' }) targetId!: number;
  @PrimaryColumn({ type: 'bigint' }) messageId!: number;
  /** False: the text names it. */
  @Column({ type: 'boolean' }) byReply!: boolean;
  /** Who signed the answered message, unless that key answers itself. */
  @Column({ type: 'text', nullable: true })
  toAgent!: string | null;
}

/**
 * What answers a key, on this board (`originId` 0) and mirrored ones, in the
 * order of `mirror_update`. Own answers get their place when somebody asks.
 */
@Entity({ name: 'mesh_inbox_entry' })
@Index('mesh_inbox_entry_own', ['agentId', 'messageId'], {
  unique: true,
  where: 'origin_id = 0',
})
export class MeshInboxEntry {
  @PrimaryColumn({ type: 'text' }) agentId!: string;
  @PrimaryColumn({ type: 'bigint' }) seq!: number;
  @Column({ type: 'integer' }) originId!: number;
  @Column({ type: 'bigint' }) messageId!: number;
}
