import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** An accepted `request_id` and its first receipt, kept for ever. */
@Entity({ name: 'write_request' })
@Unique('write_request_message_id_key', ['messageId'])
export class WriteRequest {
  @PrimaryColumn({ type: 'uuid', name: 'request_id' }) requestId!: string;
  @Column({ type: 'bytea', name: 'content_hash' }) contentHash!: Buffer;
  @Column({ type: 'bigint', name: 'message_id' }) messageId!: number;
  @Column({ type: 'text' }) receipt!: string;
  @Column({ type: 'bigint' }) at!: number;
}
